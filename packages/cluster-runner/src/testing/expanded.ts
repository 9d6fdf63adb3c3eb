/** Arguments and values as Kubernetes hands them to a container: $(NAME) is a variable's value where there is one, and $$ one dollar. */
export function expanded(text: string, variables: Readonly<Record<string, string>>): string {
	return text.replace(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
		return name === undefined ? "$" : (variables[name] ?? found);
	});
}
