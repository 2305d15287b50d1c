/** What is wrong with a typed line, and where. */
import { splitValues, type ArgumentProblem } from './arguments.ts';
import { catalogue, findCommand } from './catalogue.ts';
import { nearestFew } from './nearest.ts';
import type { OptionProblem } from './options.ts';
import type { Word } from './words.ts';

export type KnownCommand = NonNullable<ReturnType<typeof findCommand>>;

export interface LineProblem {
	/** Where it is, in characters; `from === to` at the end of the line when something is missing. */
	readonly from: number;
	readonly to: number;
	readonly code: 'usage' | 'invalid_argument' | 'unknown_command';
	readonly field: string | null;
	readonly message: string;
	readonly fix: string;
	/** What is missing may still be typed: a lint shows it later than the rest. */
	readonly missing: boolean;
}

/** One word behind the name: `name` is the argument or option that it sets, `null` when it sets none. */
export interface Part {
	readonly from: number;
	readonly to: number;
	readonly name: string | null;
	readonly value: string | null;
}

export function placeArgument(
	spec: KnownCommand,
	problem: ArgumentProblem,
	parts: readonly Part[],
	end: number,
): LineProblem {
	const own = parts.filter((part) => part.name === problem.field);
	const part =
		problem.kind === 'repeated'
			? own.at(1)
			: problem.kind === 'value'
				? ownerOf(spec, own, problem.value ?? 0)
				: own[0];
	const missing = problem.kind === 'missing' || part === undefined;
	return {
		...spanOf(part, end),
		code: problem.code,
		field: problem.field,
		message: problem.message,
		fix: problem.fix,
		missing,
	};
}

/** The word that a value came from, counted over the commas of the words before it. */
function ownerOf(spec: KnownCommand, parts: readonly Part[], index: number): Part | undefined {
	let passed = 0;
	return parts.find((part) => {
		const arg = part.name === null ? undefined : spec.args[part.name];
		passed += arg === undefined ? 1 : splitValues(arg, part.value ?? '').length;
		return index < passed;
	});
}

export function placeOption(problem: OptionProblem, parts: readonly Part[], end: number): LineProblem {
	const part = parts.find(({ name }) => name === problem.option);
	return {
		...spanOf(part, end),
		code: 'usage',
		field: problem.option,
		message: problem.message,
		fix: problem.fix,
		missing: false,
	};
}

export function repeatedOptions(parts: readonly Part[]): readonly LineProblem[] {
	return parts
		.filter((part, index) => parts.findIndex(({ name }) => name === part.name) < index)
		.map((part) =>
			problemAt(part.from, part.to, 'usage', `${part.name} is given more than once`, 'it takes one value', part.name),
		);
}

export function strayWord(spec: KnownCommand, part: Part): LineProblem {
	const names = [...Object.keys(spec.args), ...spec.options];
	const fix =
		names.length === 0
			? 'this command takes no arguments'
			: 'write it as name=value, and put quotes around a value with blanks';
	return problemAt(part.from, part.to, 'usage', `"${part.value}" belongs to no argument`, fix);
}

export function unclosed(word: Word): LineProblem {
	return problemAt(
		word.from,
		word.to,
		'usage',
		`The quote ${word.open} is not closed`,
		`end the value with ${word.open}`,
	);
}

export function unknownCommand(name: string, word: Word): LineProblem {
	return problemAt(word.from, word.to, 'unknown_command', `There is no command ${name}`, unknownCommandFix(name));
}

export function problemAt(
	from: number,
	to: number,
	code: LineProblem['code'],
	message: string,
	fix: string,
	field: string | null = null,
): LineProblem {
	return { from, to, code, field, message, fix, missing: false };
}

function spanOf(part: Part | undefined, end: number): { readonly from: number; readonly to: number } {
	return part === undefined ? { from: end, to: end } : { from: part.from, to: part.to };
}

const mostNamed = 3;

/** The nearest three, each command once. */
function unknownCommandFix(name: string): string {
	const near = nearestFew(
		name,
		catalogue.flatMap((spec) => [spec.name, ...spec.aliases]),
		Infinity,
	);
	const once = near.filter((each, at) => near.findIndex((one) => findCommand(one) === findCommand(each)) === at);
	const [first, ...rest] = once.slice(0, mostNamed);
	if (first === undefined) return 'help lists the commands';
	const last = rest.pop();
	const names = last === undefined ? first : `${[first, ...rest].join(', ')} or ${last}`;
	return `did you mean ${names}? Help lists the commands`;
}
