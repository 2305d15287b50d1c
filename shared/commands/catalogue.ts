import { computerCommands } from './computers.ts';
import { eventCommands } from './events.ts';
import { fileListCommands } from './file-lists.ts';
import { groupCommands } from './groups.ts';
import { isolationCommands } from './isolation.ts';
import { policyCommands } from './policies.ts';
import { serviceCommands } from './service.ts';
import type { ArgsOf, CommandSpec } from './define.ts';

/** The commands by family, in the order of help and reference. The handlers of a family are one file of the same name. */
const families = {
	computers: computerCommands,
	events: eventCommands,
	fileLists: fileListCommands,
	groups: groupCommands,
	policies: policyCommands,
	service: serviceCommands,
	isolation: isolationCommands,
} as const;

type Families = typeof families;
export type Family = keyof Families;
type Listed = Families[Family][number];
export type CommandName = Listed['name'];
export type CommandNameOf<F extends Family> = Families[F][number]['name'];
/** The checked arguments of the command of that name. */
export type CommandArgs<N extends CommandName> = ArgsOf<Extract<Listed, { readonly name: N }>>;

export const catalogue: readonly (CommandSpec & { readonly name: CommandName })[] = Object.values(families).flat();

const familyByName: ReadonlyMap<string, Family> = new Map(
	Object.entries(families).flatMap(([family, specs]) => specs.map(({ name }) => [name, family as Family] as const)),
);

export function familyOf(name: CommandName): Family {
	return familyByName.get(name) ?? 'service';
}

const byName: ReadonlyMap<string, CommandSpec & { readonly name: CommandName }> = new Map(
	catalogue.flatMap((spec) => [spec.name, ...spec.aliases].map((name) => [name, spec] as const)),
);

/** The command of a name or an alias; `undefined` when there is none. */
export function findCommand(name: string): (CommandSpec & { readonly name: CommandName }) | undefined {
	return byName.get(name);
}
