/** Quotes words for a POSIX shell; words that need no quotes stay as they are. */

export function quoted(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}
