/** The help of `simulate` below its options. */
import { sceneNames } from "@stickslip/mechanics";

export const simulateNotes = `
SCENE is a name, a scene file (JSON; --schema prints its schema) or a mechanics file of Siconos
(HDF5). A name with a dot or a slash is a file. The names are
${sceneNames.join(", ")};
without SCENE their options are listed.
A scene file lists shapes, materials, obstacles, bodies and events; --write-scene writes one to begin
with.

On a terminal a progress line shows time, step, contacts, iterations of the last solve, failed steps
and the time left. Ctrl-C stops after the step (status cancelled, exit code 1); with --checkpoint, and
under \`stickslip launch\`, with a checkpoint (exit code 75), from which \`stickslip resume\` continues
to the same bits, on any number of ranks. A step that no remedy solves ends the run with exit code 1,
unless --on-failure continue is given.

The run file is complete up to its last step at any time, also if the process is killed, and opens
in h5py and h5dump. (A file that an earlier version left open is refused there; \`stickslip info\`
or h5clear -s mends it.) Each of several ranks writes a part beside it (RUN.rank-0001.h5), on a file
system that all hosts share. One process at a time writes an output, and existing files need
--overwrite. A resumed run renames a file that it cannot continue (RUN.aside-1.h5) and begins a new
one. The file holds, per stored step, bodies (position, orientation, map, velocity, spin), contacts
(point, normal, force, gap, bodies), and the statistics of every step. \`stickslip info\` describes
it, and \`stickslip picture\` draws any stored step. When ParaView asks, choose "XDMF Reader": its
readers for Xdmf3 cannot read ranges of rows, and crash.

Examples: stickslip simulate drum --bodies 100 --until 2 --output drum.h5 --report drum.html
          stickslip simulate tower --steps 500 --picture tower.svg --output tower.h5
          stickslip simulate pile --bodies 50 --write-scene my-scene.json
          stickslip simulate my-scene.json --ranks 2 --checkpoint 60 --output my-scene.h5
          stickslip simulate drum --set friction=0.5 --csv drum.csv --json
`;
