/** A runner that notes in the intent what was there before, as the local copies know it: the undo list needs it. */
import type { CommandRequest, Runner } from '../commands/types.ts';
import type { BeforeSources } from './types.ts';

type Facts = Readonly<Record<string, unknown>>;

export function remembering<R extends Pick<Runner, 'run'>>(runner: R, sources: BeforeSources): R {
  return { ...runner, run: (request: CommandRequest) => runner.run({ ...request, facts: factsFor(request, sources) }) };
}

function factsFor({ name, args, connection, job, facts }: CommandRequest, sources: BeforeSources): Facts | undefined {
  if (connection === undefined || job !== undefined || facts?.['before'] !== undefined) return facts;
  const text = (argument: string): string => String(args[argument] ?? '').toLowerCase();
  try {
    const before = beforeOf(name, text, connection, sources);
    return before === undefined ? facts : { ...facts, before };
  } catch {
    // A copy that cannot be read keeps nothing from being sent; the undo list says that it does not know.
    return facts;
  }
}

function beforeOf(
  name: string,
  text: (argument: string) => string,
  connection: string,
  { inventory, directory }: BeforeSources,
): Facts | undefined {
  switch (name) {
    case 'svc_move_computer': {
      const group = inventory(connection)?.row(text('connector_guid'))?.groupGuid;
      return group === undefined || group === '' ? undefined : { group };
    }
    case 'svc_set_group_policy':
      return policiesBefore(text('group_guid'), directory(connection));
    case 'svc_delete_file_list_files_by_sha': {
      const held = directory(connection)?.holding(text('sha256')) ?? [];
      const item = held.find(({ list }) => list.guid === text('file_list_guid'))?.item;
      return item === undefined ? undefined : { 'on list': true, note: item.description };
    }
    case 'svc_set_file_list_files_by_sha':
      return { 'on list': false };
    default:
      return undefined;
  }
}

function policiesBefore(group: string, directory: ReturnType<BeforeSources['directory']>): Facts | undefined {
  const node = directory?.tree().groups.find(({ guid }) => guid === group);
  const policies = node?.policies;
  if (policies === undefined || policies === null) return undefined;
  return Object.fromEntries(
    policies.flatMap(({ product, guid, inherited }) => [
      [product, guid],
      ...(inherited ? [[`${product} inherited`, true]] : []),
    ]),
  );
}
