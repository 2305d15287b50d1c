/**
 * The line that is typed into the console: `!svc_get_computers limit=10 hostname=FIN- name="a b" comment=`raw "text"``.
 * The exclamation mark may be left out, the main argument may be given without its name, and options stand among the
 * arguments (`all`, `wait=120`, `reveal reason="…"`). Every problem has its place in the line, for the lint under it.
 */
import { CordonError } from '../contract/errors.ts';
import { argumentProblems, type RawArgs } from './arguments.ts';
import { findCommand } from './catalogue.ts';
import type { OptionName } from './define.ts';
import {
	placeArgument,
	placeOption,
	problemAt,
	repeatedOptions,
	strayWord,
	unclosed,
	unknownCommand,
	type KnownCommand,
	type LineProblem,
	type Part,
} from './line-problems.ts';
import { readOptions, type RunOptions } from './options.ts';
import { quote, splitWords, unquote, type Word } from './words.ts';

export type { KnownCommand, LineProblem };

export interface ParsedLine {
	/** The name as it was typed; empty for an empty line. */
	readonly name: string;
	readonly spec: KnownCommand | undefined;
	/** An argument that takes several values is an array, also with one value. */
	readonly args: RawArgs;
	readonly options: RunOptions;
	readonly problems: readonly LineProblem[];
}

const assignment = /^([A-Za-z_][\w-]*)=/;

export function parseLine(line: string): ParsedLine {
	const [head, ...rest] = commandWords(line);
	if (head === undefined)
		return withoutCommand('', [
			problemAt(0, line.length, 'usage', 'The line is empty', 'type a command, such as svc_get_computers'),
		]);
	const name = unquote(head.raw);
	const spec = findCommand(name);
	if (spec === undefined) return withoutCommand(name, [unknownCommand(name, head)]);
	const open = [head, ...rest].filter((word) => word.open !== null).map((word) => unclosed(word));
	const parsed = readParts(spec, rest, line.length);
	return { ...parsed, name, spec, problems: [...open, ...parsed.problems] };
}

/** The command of a line; throws the first problem as a `CordonError`. */
export function requireLine(line: string): {
	readonly spec: KnownCommand;
	readonly args: RawArgs;
	readonly options: RunOptions;
} {
	const { spec, args, options, problems } = parseLine(line);
	const [problem] = problems;
	if (problem !== undefined || spec === undefined)
		throw new CordonError(
			problem?.code ?? 'usage',
			problem && `${problem.message}: ${problem.fix}.`,
			lineDetails(problem),
		);
	return { spec, args, options };
}

/** The inverse of {@link parseLine}: every value survives, quoted only where it must be. What was typed to confirm is typed anew. */
export function formatLine(name: string, args: RawArgs, options: RunOptions = {}): string {
	const written = Object.entries(args).flatMap(([arg, given]) =>
		(typeof given === 'string' ? [given] : given).map((value) => `${arg}=${quote(value)}`),
	);
	return [name, ...written, ...formatOptions(options)].join(' ');
}

/** The words of a line, its exclamation mark taken away. */
export function commandWords(line: string): readonly Word[] {
	const [head, ...rest] = splitWords(line);
	if (head === undefined || !head.raw.startsWith('!')) return head === undefined ? [] : [head, ...rest];
	const bare = { ...head, from: head.from + 1, raw: head.raw.slice(1) };
	return bare.raw === '' ? rest : [bare, ...rest];
}

function readParts(
	spec: KnownCommand,
	words: readonly Word[],
	end: number,
): Pick<ParsedLine, 'args' | 'options' | 'problems'> {
	const parts = placePositional(
		spec,
		words.map((word) => readPart(spec, word)),
	);
	const [forOptions, others] = parted(parts, (part) => part.name !== null && isOption(spec, part.name));
	const [named, stray] = parted(others, (part) => part.name !== null);
	const args = collectArgs(spec, named);
	const { options, problems } = readOptions(spec, collectOptions(forOptions), new Set(Object.keys(args)));
	return {
		args,
		options,
		problems: [
			...stray.map((part) => strayWord(spec, part)),
			...argumentProblems(spec, args).map((problem) => placeArgument(spec, problem, named, end)),
			...repeatedOptions(forOptions),
			...problems.map((problem) => placeOption(problem, forOptions, end)),
		],
	};
}

function readPart(spec: KnownCommand, word: Word): Part {
	const part = readAssignment(word);
	return part.name === null && isOption(spec, word.raw) ? { ...part, name: word.raw, value: null } : part;
}

function readAssignment({ from, to, raw }: Word): Part {
	const name = assignment.exec(raw)?.[1];
	return name === undefined
		? { from, to, name: null, value: unquote(raw) }
		: { from, to, name, value: unquote(raw.slice(name.length + 1)) };
}

/** The first word without a name is the main argument, unless that was given by name. */
function placePositional(spec: KnownCommand, parts: readonly Part[]): readonly Part[] {
	if (spec.positional === null || parts.some((part) => part.name === spec.positional)) return parts;
	const first = parts.findIndex((part) => part.name === null);
	return parts.map((part, index) => (index === first ? { ...part, name: spec.positional } : part));
}

function collectArgs(spec: KnownCommand, parts: readonly Part[]): RawArgs {
	const values = Map.groupBy(parts, (part) => part.name ?? '');
	// fromEntries makes own properties of every name, `__proto__` included.
	return Object.fromEntries(
		[...values].map(([name, given]) => [
			name,
			collected(
				spec,
				name,
				given.map((part) => part.value ?? ''),
			),
		]),
	);
}

function collected(spec: KnownCommand, name: string, values: readonly string[]): string | readonly string[] {
	const several = Object.hasOwn(spec.args, name) && spec.args[name]?.many !== 'no';
	return several || values.length > 1 ? values : (values[0] ?? '');
}

function collectOptions(parts: readonly Part[]): ReadonlyMap<OptionName, string | null> {
	// Only parts that passed isOption come here.
	return new Map(parts.map((part) => [part.name as OptionName, part.value]));
}

function isOption(spec: KnownCommand, name: string): boolean {
	return spec.options.some((option) => option === name);
}

function withoutCommand(name: string, problems: readonly LineProblem[]): ParsedLine {
	return { name, spec: undefined, args: {}, options: {}, problems };
}

function formatOptions({ all, wait, reveal, reason, ticket, code, lease, autoRelease }: RunOptions): readonly string[] {
	return [
		...(all === true ? ['all'] : []),
		...(wait === undefined ? [] : [`wait=${wait}`]),
		...(reveal === true ? ['reveal'] : []),
		...(reason === undefined ? [] : [`reason=${quote(reason)}`]),
		...(ticket === undefined ? [] : [`ticket=${quote(ticket)}`]),
		...(code === undefined ? [] : [`code=${code}`]),
		...(lease === undefined ? [] : [`lease=${lease === null ? 'none' : `${lease}h`}`]),
		...(autoRelease === true ? ['auto-release'] : []),
	];
}

function lineDetails(problem: LineProblem | undefined): { readonly field?: string; readonly fix?: string } {
	if (problem === undefined) return {};
	return problem.field === null ? { fix: problem.fix } : { field: problem.field, fix: problem.fix };
}

function parted<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
	return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
