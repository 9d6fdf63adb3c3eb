/** `npm run build`: installs where needed and builds. */
import { main, setup } from "./lib/setup.mjs";

main(() => setup());
