import zmq
socket = zmq.Context().socket(zmq.SUB)
socket.connect("tcp://127.0.0.1:5556")
socket.subscribe("update/")  # or "update/newData/", or "update/newData/blog/"
while True: print(socket.recv_multipart()[1].decode(), flush=True)
