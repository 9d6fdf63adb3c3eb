"""
A client process: CONNECTION PROBLEMS REQUESTS SECONDS UNDER_WAY. Sends the problems of the file in turn, so many at a time, until it has sent so
many or the seconds are over, and compares each answer with the known one. Prints what came of them as JSON.
"""

import collections
import json
import sys
import time

import numpy
import stickslip


def read_problems(file):
    data = open(file, "rb").read()
    at = 8
    problems = []

    def take(kind, count):
        nonlocal at
        values = numpy.frombuffer(data, kind, count, at)
        at += -(-values.nbytes // 8) * 8
        return values

    for _ in range(int(numpy.frombuffer(data, "<i4", 1)[0])):
        contacts, blocks = (int(number) for number in take("<i4", 2))
        expected = data[at : at + 64].decode()
        at += 64
        indptr, indices = take("<i4", contacts + 1), take("<i4", blocks)
        values = take("<f8", 9 * blocks).reshape(blocks, 3, 3)
        q, mu, reaction = take("<f8", 3 * contacts), take("<f8", contacts), take("<f8", 3 * contacts)
        problems.append(((indptr, indices, values), q, mu, reaction, expected))
    return problems


def main():
    connection, file, requests, seconds, under_way = sys.argv[1:6]
    problems = read_problems(file)
    counts = {"sent": 0, "right": 0, "wrong": 0, "failed": 0}
    end = time.monotonic() + float(seconds)
    waiting = collections.deque()
    with stickslip.connect(connection, patience=120) as client:
        while True:
            while len(waiting) < int(under_way) and counts["sent"] < int(requests) and time.monotonic() < end:
                problem = problems[counts["sent"] % len(problems)]
                counts["sent"] += 1
                waiting.append((client.submit(*problem[:3]), problem))
            if not waiting:
                break
            request, (_, _, _, reaction, expected) = waiting.popleft()
            try:
                answer = request.result()
                right = answer.hash == expected and numpy.array_equal(answer.reaction, reaction)
                counts["right" if right else "wrong"] += 1
            except stickslip.Error as error:
                counts["failed"] += 1
                print(error, file=sys.stderr)
    print(json.dumps(counts))


main()
