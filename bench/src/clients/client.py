"""
The Python client's side of the bench: `client.py CONNECTION_FILE FOLDER`. FOLDER has a problem as raw arrays. For each line of its
input, a kind of request, it makes one and prints what it took from call to answer as a JSON line.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse

import stickslip

folder = Path(sys.argv[2])


def read(name, type):
    return np.fromfile(folder / name, type)


q, mu, row_start = read("q.f64", "<f8"), read("mu.f64", "<f8"), read("rowStart.i32", "<i4")
blocks = read("values.f64", "<f8").reshape(-1, 3, 3)
W = scipy.sparse.bsr_matrix((blocks, read("column.i32", "<i4"), row_start), shape=(q.size, q.size))

with stickslip.connect(sys.argv[1]) as client:
    pattern = client.prepare(W, q, mu)
    requests = {
        "whole": lambda: client.solve(W, q, mu),
        "values": lambda: pattern.solve(q, values=W),
        "q": lambda: pattern.solve(q),
    }
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        began = time.perf_counter()
        answer = requests[line.strip()]()
        seconds = time.perf_counter() - began
        print(json.dumps({"seconds": seconds, "hash": stickslip.hash_of(answer.reaction)}), flush=True)
