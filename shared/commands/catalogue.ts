import {
  getComputerActivity,
  getComputerByConnector,
  getComputers,
  getComputerTrajectory,
  moveComputer,
} from './computers.ts';
import type { ArgsOf, CommandSpec } from './define.ts';
import { getEvents, getEventTypes } from './events.ts';
import {
  deleteFileListFilesBySha,
  getApplicationBlocking,
  getFileListByGuid,
  getFileListFiles,
  getFileListFilesBySha,
  getSimpleCustomDetections,
  setFileListFilesBySha,
} from './file-lists.ts';
import { getGroup, getGroups, setGroupPolicy } from './groups.ts';
import { deleteComputersIsolation, getComputersIsolation, putComputersIsolation } from './isolation.ts';
import { getPolicies, getPolicy } from './policies.ts';
import { getVersion } from './service.ts';

/** The 23 commands, in the order of help and reference. */
const list = [
  getComputers,
  getComputerByConnector,
  getComputerTrajectory,
  moveComputer,
  getComputerActivity,
  getEvents,
  getEventTypes,
  getApplicationBlocking,
  getFileListByGuid,
  getSimpleCustomDetections,
  getFileListFiles,
  getFileListFilesBySha,
  setFileListFilesBySha,
  deleteFileListFilesBySha,
  getGroups,
  getGroup,
  setGroupPolicy,
  getPolicies,
  getPolicy,
  getVersion,
  deleteComputersIsolation,
  putComputersIsolation,
  getComputersIsolation,
] as const;

type Listed = (typeof list)[number];
export type CommandName = Listed['name'];
/** The checked arguments of the command of that name. */
export type CommandArgs<N extends CommandName> = ArgsOf<Extract<Listed, { readonly name: N }>>;

export const catalogue: readonly (CommandSpec & { readonly name: CommandName })[] = list;

const byName: ReadonlyMap<string, CommandSpec & { readonly name: CommandName }> = new Map(
  catalogue.flatMap((spec) => [spec.name, ...spec.aliases].map((name) => [name, spec] as const)),
);

/** The command of a name or an alias; `undefined` when there is none. */
export function findCommand(name: string): (CommandSpec & { readonly name: CommandName }) | undefined {
  return byName.get(name);
}
