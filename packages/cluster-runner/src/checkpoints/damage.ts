/** What is wrong with a checkpoint that cannot be used: a reason to take the one before, and for nothing worse. */
export class Damage extends Error {
	override readonly name = "Damage";

	/** The same, told of a file in the checkpoint's folder. */
	of(name: string): Damage {
		return new Damage(`${name} ${this.message}`);
	}
}
