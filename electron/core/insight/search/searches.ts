/** The search of this process: the local copies at once, and the last answers of the service, kept while it runs. */
import type { ActivityAnswer, ActivityNews, SearchResults } from '#shared/contract/search.ts';

import type { ApiClient } from '#core/service/api/types.ts';
import type { Clock } from '#core/base/ports.ts';
import { answerOf, begin, newsOf, readOn, type Answered, type Question } from './activity.ts';
import { searchLocally } from './local.ts';
import type { SearchSources } from './types.ts';

export interface Searches {
  /** Costs nothing. */
  local(connection: string, text: string, limit: number): Promise<SearchResults>;
  /** The last answer to that question; costs nothing. */
  asked(connection: string, question: Question): ActivityAnswer | null;
  /** Asks the service, page by page; with `further` from where the last answer stopped. Leaving it keeps what came. */
  ask(
    connection: string,
    question: Question & { readonly further: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<ActivityNews, void>;
  /** Throws away what is kept of a connection that was removed or leads elsewhere now. */
  forget(connection: string): void;
}

export interface SearchesOptions {
  readonly clock: Clock;
  readonly client: (connection: string) => ApiClient;
  readonly sources: (connection: string) => SearchSources;
}

/** Answers that are kept for each connection, the newest. */
const kept = 20;

export function createSearches({ clock, client, sources }: SearchesOptions): Searches {
  const answers = new Map<string, Map<string, Answered>>();
  const keep = (connection: string, answer: Answered): void => {
    const own = answers.get(connection) ?? new Map<string, Answered>();
    answers.set(connection, own);
    const key = keyOf(answer.question);
    own.delete(key);
    own.set(key, answer);
    const [oldest] = own.keys();
    if (own.size > kept && oldest !== undefined) own.delete(oldest);
  };
  const last = (connection: string, question: Question): Answered | undefined =>
    answers.get(connection)?.get(keyOf(question));
  return {
    local: async (connection, text, limit) => searchLocally(sources(connection), text, limit),
    asked: (connection, question) => {
      const answer = last(connection, question);
      return answer === undefined ? null : answerOf(sources(connection), answer);
    },
    async *ask(connection, { further, ...question }, signal) {
      const before = further ? last(connection, question) : undefined;
      const first = before ?? begin(question, clock.now());
      const own = sources(connection);
      let silent = before === undefined ? 0 : answerOf(own, before).silent;
      let known = first.items.length;
      let newest = first;
      try {
        for await (const answer of readOn(client(connection), first, signal)) {
          newest = answer;
          const news = newsOf(own, answer, known, silent);
          known = answer.items.length;
          silent = news.facts.silent;
          keep(connection, answer);
          yield news;
        }
      } finally {
        // Whoever leaves in the middle finds what came, and can go on.
        if (newest.phase === 'reading' && newest.calls > 0) keep(connection, { ...newest, phase: 'partial' });
      }
    },
    forget: (connection) => void answers.delete(connection),
  };
}

function keyOf({ kind, text }: Question): string {
  return `${kind} ${text.trim().toLowerCase()}`;
}
