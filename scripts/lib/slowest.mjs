/** A vitest reporter that says which files took longest, since the tests are to take nine minutes at most. */
const SHOWN = 12;

export default class SlowestReporter {
	onTestRunEnd(modules) {
		if (modules.length < SHOWN) return;
		const seconds = (module) => module.diagnostic().duration / 1000;
		const sorted = [...modules].sort((a, b) => seconds(b) - seconds(a));
		const all = sorted.reduce((sum, module) => sum + seconds(module), 0);
		console.log(`\n${Math.round(all)} s of tests in ${modules.length} files, the longest:`);
		for (const module of sorted.slice(0, SHOWN)) {
			console.log(`${seconds(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
		}
	}
}
