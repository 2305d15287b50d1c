/** Isolation states in sentences. */
import type { Isolation } from '#shared/model/isolation.ts';

/** `FIN-LT-0231 is starting isolation, asked for by Kim; waiting for its agent.` */
export function stateSentence(label: string, isolation: Isolation): string {
  return `${label} ${stateWords(isolation)}.`;
}

/** What stands after the name of the computer. */
export function stateWords({ status, available, isolated_by: by }: Isolation): string {
  switch (status) {
    case 'not_isolated':
      return available ? 'is not isolated' : 'is not isolated, and isolation is not available for it';
    case 'pending_start':
      return `is starting isolation${asked(by)}: waiting for its agent`;
    case 'isolated':
      return `is isolated${by === undefined || by === null || by === '' ? '' : ` by ${by}`}`;
    case 'pending_stop':
      return 'is being released: waiting for its agent';
    default:
      return `is in the state "${status}", which is not known here`;
  }
}

function asked(by: string | null | undefined): string {
  return by === undefined || by === null || by === '' ? '' : `, asked for by ${by}`;
}

/** The state alone, as it stands after "is": for comparing. */
export function plainState(status: string): string {
  const words: Readonly<Record<string, string>> = {
    not_isolated: 'not isolated',
    pending_start: 'starting isolation',
    isolated: 'isolated',
    pending_stop: 'being released',
  };
  return words[status] ?? `in the state "${status}"`;
}
