"""Makes a file of Siconos' mechanics, and simulates it for some steps: python3 siconos_scene.py FILE SECONDS. Prints the contacts that were last stored."""
import json
import sys

import h5py
import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.tools import Contactor

name, seconds = sys.argv[1], float(sys.argv[2])
plain = {"insideMargin": 0.0, "outsideMargin": 0.0}
with MechanicsHdf5Runner(io_filename=name, mode="w", verbose=False) as io:
    io.add_primitive_shape("Ball", "Sphere", (0.5,))
    io.add_primitive_shape("Brick", "Box", (1.0, 2.0, 0.5), **plain)
    io.add_primitive_shape("Pill", "Capsule", (0.25, 1.0))
    io.add_primitive_shape("Ground", "Box", (40.0, 40.0, 1.0), **plain)
    corners = [(-1.0, -1.0, -0.5), (1.0, -1.0, -0.5), (0.0, 2.0, -0.5), (0.0, 0.0, 1.5)]
    io.add_convex_shape("Tetra", corners + [(0.0, 0.0, 0.0)], **plain)
    io.add_Newton_impact_friction_nsl("contact", mu=0.3, e=0.1)
    io.add_object("low", [Contactor("Ball")], translation=[0, 0, 0.5], mass=2.0, inertia=[0.2, 0.2, 0.2])
    io.add_object("high", [Contactor("Ball")], translation=[0, 0, 1.5], mass=1.0)
    io.add_object("brick", [Contactor("Brick")], translation=[3, 0, 0.25], mass=1.0, inertia=np.diag([1.0, 0.8, 1.5]))
    quarter = ([0.0, 0.0, 1.0], float(np.pi / 2))
    io.add_object("pill", [Contactor("Pill")], translation=[6, 0, 0.25], orientation=quarter, mass=1.0)
    io.add_object("tetra", [Contactor("Tetra")], translation=[-4, 0, 0.5], mass=1.0, inertia=[1, 1, 1])
    balls = [Contactor("Ball", relative_translation=[x, 0.0, 0.0]) for x in (-0.5, 0.5)]
    twist = [0, 0, 0, 1.0, 0, 0]
    turn = ([0.0, 0.0, 1.0], float(np.pi / 2))
    io.add_object("pair", balls, translation=[-8, 0, 0.5], orientation=turn, velocity=twist, mass=1.0, inertia=[0.2, 1, 1])
    io.add_object("late", [Contactor("Brick")], translation=[3, 0, 3.25], mass=1.0, inertia=[1, 1, 1], time_of_birth=9.0)
    io.add_object("ground", [Contactor("Ground")], translation=[0, 0, -0.5])

with MechanicsHdf5Runner(io_filename=name, mode="r+", verbose=False) as io:
    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-8
    io.run(with_timer=False, t0=0, T=seconds, h=0.005, theta=0.5, solver_options=options, output_frequency=1)

with h5py.File(name, "r") as file:
    rows = file["data/cf"][:]
    last = rows[rows[:, 0] == rows[-1, 0]]
    print("contacts " + json.dumps(last.tolist()))
