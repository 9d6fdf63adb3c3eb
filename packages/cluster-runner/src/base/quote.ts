/** Words as a POSIX shell takes them: what needs no quotes stays readable. */

export function quoted(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}
