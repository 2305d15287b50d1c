import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { parseLine, type ParsedLine } from '#shared/commands/parse.ts';

import { useActiveConnectionOrNull, useWriteRefusal } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { copied } from './guard/use-judgement.ts';
import { changeFacts, readFacts, type LineFacts } from './line-facts.ts';
import { computerOf } from '#shared/commands/arguments.ts';

/** What a line that could be run would do; `null` while it could not. The service is asked nothing for it. */
export function useLineFacts(line: string, isShown: boolean): LineFacts | null {
  const parsed = useMemo(() => parseLine(line), [line]);
  const isWhole = isShown && parsed.spec !== undefined && parsed.problems.length === 0;
  const refusal = useWriteRefusal();
  const matches = useMatches(parsed, isWhole);
  const answer = useAnswer(parsed, isWhole && refusal === null);
  if (!isWhole) return null;
  return readFacts(parsed, matches) ?? changeFacts(parsed, refusal, answer);
}

const byName = { column: 'hostname', descending: false } as const;

/** How many computers of the local copy have the names that the line asks for. */
function useMatches({ spec, args }: ParsedLine, isWhole: boolean): number | undefined {
  const { queries } = useApi();
  const connection = useActiveConnectionOrNull()?.id ?? '';
  const given =
    spec?.name === 'svc_get_computers' && Object.keys(args).every((each) => known.has(each))
      ? args['hostname']
      : undefined;
  const names = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  const filter = names.length === 1 && !/["\\*]/.test(names[0] ?? '') ? `name:"${names[0]}"` : null;
  const input = { connection, filter: filter ?? '', sort: byName, offset: 0, limit: 1 };
  const isAsked = isWhole && filter !== null && connection !== '';
  const { data } = useQuery({ ...queries.computers.query.queryOptions({ input }), enabled: isAsked, gcTime: 5_000 });
  return isAsked ? data?.matching : undefined;
}

/** With other conditions the local copy would count something else. */
const known: ReadonlySet<string> = new Set(['hostname', 'limit', 'offset']);

/** What the guard rules say, of a computer that the local copy knows: about another one they would ask the service. */
function useAnswer({ spec, args }: ParsedLine, isWhole: boolean) {
  const { queries } = useApi();
  const connection = useActiveConnectionOrNull()?.id ?? '';
  const isChange = isWhole && spec !== undefined && spec.risk !== 'read' && connection !== '';
  const guid = computerOf(args);
  const detail = useQuery({
    ...queries.computers.detail.queryOptions({ input: { connection, guid: guid ?? '-' } }),
    enabled: isChange && guid !== undefined,
  });
  const isKnown = guid === undefined || (detail.data !== undefined && detail.data !== null);
  const { data } = useQuery({
    ...queries.guards.judge.queryOptions({ input: { connection, name: spec?.name ?? '', args: copied(args) } }),
    enabled: isChange && isKnown,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  return isChange && isKnown ? data : undefined;
}
