# The names of suites as regular expressions of `swift test`, for the scripts that run them.

# The tests of the running system.
system='^EndToEndTests\.'
# The tests of layouts: two at a time take longer than one after the other, because they share the locks of Fontconfig and `malloc`.
layouts='^LayoutTests\.'
# Tests without servers and deadlines run in parallel. All others run one after the other: many start processes, whose deadlines
# assume an idle machine.
pure='^(JSON|WidgetSchema|EventStreams|ServiceEngine|Text|Cryptography|OriginRules|SourceParsing|Simulation)Tests\.'
