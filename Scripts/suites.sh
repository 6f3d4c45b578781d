# The names of suites as regular expressions of `swift test`, for the scripts that run them.

# The tests of the running system.
system='^EndToEndTests\.'
# Tests without servers and deadlines run in parallel. All others run one after the other: many start processes, whose deadlines
# assume an idle machine.
pure='^(JSON|WidgetSchema|EventStreams|ServiceEngine|Text|Cryptography|OriginRules|SourceParsing|Simulation)Tests\.'
