/** The help of `simulate` below its options. */
import { sceneNames } from "@stickslip/mechanics";

export const simulateNotes = `
SCENE is a name, a scene file (JSON; --schema prints its schema) or a mechanics file of Siconos
(HDF5). A name with a dot or a slash is a file. The names are
${sceneNames.join(", ")};
without SCENE their options are listed.
A scene file lists shapes, materials, obstacles, bodies and events; --write-scene writes one to begin
with. Comments and trailing commas are allowed in it; mistakes are listed with line and column.

Where bodies bounce, use the scheme half-step: velocity-impulse loses energy at a restitution near 1.
Newton's law of restitution may gain energy with friction; "restitutionLaw": "poisson" in the scheme
of a scene file does not, if all contacts have one restitution.

On a terminal a progress line shows time, step, contacts, iterations of the last solve, failed steps
and the time left. Ctrl-C stops after the step (status cancelled, exit code 1); with --checkpoint, and
under \`stickslip launch\`, with a checkpoint (exit code 75), from which \`stickslip resume\` continues
to the same bits, on any number of ranks. A step that no remedy solves ends the run with exit code 1,
unless --on-failure continue is given.

The summary and --json have the largest overlap and speed of the whole run. A warning says which step
is short enough if a body moves too far in a step, or overlaps by more than 5 % of the smallest body.

The run file is complete up to its last step at any time, also if the process is killed, and opens
in h5py and h5dump. (A file that an earlier version left open is refused there; \`stickslip info\`
or h5clear -s mends it.) Each of several ranks writes a part beside it (RUN.rank-0001.h5), on a file
system that all hosts share. One process at a time writes an output, and existing files need
--overwrite. A resumed run renames a file that it cannot continue (RUN.aside-1.h5) and begins a new
one. The file holds, per stored step, bodies (position, orientation, map, velocity, spin), contacts
(point, normal, force, gap, bodies), the statistics of every step and, once the run is over, the
largest overlap and speed as attributes of the first part. \`stickslip info\` describes it, and
\`stickslip picture\` draws any stored step. When ParaView asks, choose "XDMF Reader": its readers for
Xdmf3 cannot read ranges of rows, and crash. It has three blocks over time: surfaces, centres and
contacts.

Examples: stickslip simulate drum --bodies 100 --until 2 --output drum.h5 --report drum.html
          stickslip simulate tower --steps 500 --picture tower.svg --output tower.h5
          stickslip simulate pile --bodies 50 --write-scene my-scene.json
          stickslip simulate my-scene.json --ranks 2 --checkpoint 60 --output my-scene.h5
          stickslip simulate drum --set friction=0.5 --csv drum.csv --json
`;
