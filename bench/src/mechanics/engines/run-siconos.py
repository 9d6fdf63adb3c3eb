"""A scene of engine.ts, as JSON on standard input, by Siconos' mechanics runner with Bullet; lines of JSON on standard output, of each step and of states now and then.

The kernel ends it when it has used the processor for as long as the scene says: what it has told until then counts.

The settings of the Siconos examples: Moreau-Jean with theta 0.50001, one Newton iteration, non-smooth Gauss-Seidel, at the tolerance that is asked for.
Margins of shapes and the gap at which a contact counts are those with which a block below the angle of friction does not slide; most others lose contacts.
"""
import json
import math
import os
import resource
import sys
import tempfile
import time

# What Siconos and HDF5 print must not get among the answer.
answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

# What is still or turns does not collide with itself.
OBSTACLES, BODIES = 0, 1


def shape(io, part, names, margin):
    key = json.dumps({k: part[k] for k in part if k not in ("position", "orientation")})
    if key not in names:
        name = names[key] = f"shape{len(names)}"
        margins = {"insideMargin": margin, "outsideMargin": 0.0}
        if part["kind"] == "sphere":
            io.add_primitive_shape(name, "Sphere", (part["radius"],), **margins)
        elif part["kind"] == "box":
            io.add_primitive_shape(name, "Box", tuple(part["size"]), **margins)
        else:
            io.add_convex_shape(name, part["vertices"], **margins)
    return names[key]


def inertia(body):
    """Of bodies of one part, a box or a sphere."""
    part, density = body["parts"][0], body["density"]
    if part["kind"] == "sphere":
        mass = density * 4 / 3 * 3.141592653589793 * part["radius"] ** 3
        return mass, [0.4 * mass * part["radius"] ** 2] * 3
    x, y, z = part["size"]
    mass = density * x * y * z
    return mass, [mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12]


def contactors(io, body, group, names, margin):
    return [
        Contactor(shape(io, part, names, margin), collision_group=group, relative_translation=part["position"],
                  relative_orientation=part["orientation"])
        for part in body["parts"]
    ]


def write(path, scene):
    names = {}
    with MechanicsHdf5Runner(io_filename=path, mode="w") as io:
        for index, body in enumerate(scene["obstacles"]):
            name, shapes = f"obstacle{index}", contactors(io, body, OBSTACLES, names, scene["margin"])
            place = dict(translation=body["position"], orientation=body["orientation"])
            if any(body["spin"]):
                io.add_object(name, shapes, velocity=[0, 0, 0, *body["spin"]], mass=1.0, inertia=[1, 1, 1], **place)
                io.add_boundary_condition(f"turning{index}", name, indices=[0, 1, 2, 3, 4, 5],
                                          bc_class="BoundaryCondition", v=[0, 0, 0, *body["spin"]])
            else:
                io.add_object(name, shapes, **place)
        for index, body in enumerate(scene["bodies"]):
            mass, moments = inertia(body)
            io.add_object(f"body{index}", contactors(io, body, BODIES, names, scene["margin"]), translation=body["position"],
                          orientation=body["orientation"], velocity=[*body["velocity"], *body["spin"]],
                          mass=mass, inertia=moments)
        law = dict(mu=scene["friction"], e=scene["restitution"], collision_group2=BODIES)
        io.add_Newton_impact_friction_nsl("obstacles", collision_group1=OBSTACLES, **law)
        io.add_Newton_impact_friction_nsl("bodies", collision_group1=BODIES, **law)


def tell(what):
    answer.write(json.dumps(what) + "\n")
    answer.flush()


class Watch:
    """Called before and after each step: tells its time and whether the solver has done it, and now and then the states of bodies."""

    def __init__(self, scene):
        self.scene, self.steps = scene, 0
        self.clock = self.processor = None

    def begin(self, io):
        if self.clock is None:
            self.keep(io)
        self.clock, self.processor = time.perf_counter(), time.thread_time()

    def end(self, io):
        # Of this thread, which does all: the limit makes that of the process as coarse as the kernel's ticks.
        told = {"clock": time.perf_counter() - self.clock, "seconds": time.thread_time() - self.processor}
        problem = io._simulation.oneStepNSProblem(0)
        error = 0.0
        if problem.getSizeOutput() > 0:
            error = problem.numericsSolverOptions().dparam[numerics.SICONOS_DPARAM_RESIDU]
        tell({**told, "failed": not error <= self.scene["tolerance"]})
        self.steps += 1
        if self.steps % self.scene["every"] == 0:
            self.keep(io)

    def keep(self, io):
        """Rows of positions and velocities begin with the number of the body; bodies come after the obstacles that turn."""
        tables = io._io.positions(io._nsds), io._io.velocities(io._nsds)
        positions, velocities = (sorted(map(list, table)) for table in tables)
        rows = [[*place[1:8], *rates[1:7]] for place, rates in zip(positions, velocities)]
        tell({"state": rows[len(rows) - len(self.scene["bodies"]):]})


def limit_processor(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    end = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 10))


def main():
    scene = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        path = os.path.join(folder, "scene.hdf5")
        write(path, scene)
        options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = scene["iterations"]
        options.dparam[numerics.SICONOS_DPARAM_TOL] = scene["tolerance"]
        watch = Watch(scene)

        def gravity(body):
            weight = [body.scalarMass() * g for g in scene["gravity"]]
            body.setFExtPtr(weight)

        limit_processor(scene["limit"])
        with MechanicsHdf5Runner(io_filename=path, mode="r+") as io:
            io.run(with_timer=False, bullet_options=SiconosBulletOptions(), t0=0, T=scene["steps"] * scene["step"], h=scene["step"],
                   theta=0.50001, constraint_activation_threshold=scene["threshold"], Newton_max_iter=1, set_external_forces=gravity, solver_options=options,
                   output_frequency=10**9, verbose=False, verbose_progress=False, numerics_verbose=False,
                   start_run_iteration_hook=watch.begin, end_run_iteration_hook=watch.end)


main()
