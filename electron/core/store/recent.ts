/** The answers to the last few questions. */
export interface Recent<T> {
  get(question: string): T | undefined;
  set(question: string, answer: T): T;
}

/** `most`: how many are kept; without it, what a few open pages ask in turn. */
export function createRecent<T>(most = 8): Recent<T> {
  const answers = new Map<string, T>();
  return {
    get(question) {
      const answer = answers.get(question);
      if (answer !== undefined) {
        answers.delete(question);
        answers.set(question, answer);
      }
      return answer;
    },
    set(question, answer) {
      answers.delete(question);
      answers.set(question, answer);
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
      return answer;
    },
  };
}
