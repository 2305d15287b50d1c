/** The way out of the program while jobs run: somebody is asked once, and is waited for. */
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

export interface LeaveParts {
  /** How many jobs run now. */
  readonly running: () => number;
  /** Resolves with whether to quit all the same. */
  readonly ask: (question: LeaveQuestion) => Promise<boolean>;
  /** Ends the program; asks `may` once more on its way. */
  readonly quit: () => void;
}

export interface LeaveQuestion {
  readonly message: string;
  readonly detail: string;
}

/** Says whether the program may end now. Where it may not, somebody is being asked, and `quit` follows a yes. */
export function createLeave({ running, ask, quit }: LeaveParts): () => boolean {
  let state: 'free' | 'asking' | 'agreed' = 'free';
  const decide = async (jobs: number): Promise<void> => {
    state = 'asking';
    // A question that cannot be shown must not keep the program from ending.
    const agreed = await ask(leaveQuestion(jobs)).catch(() => true);
    state = agreed ? 'agreed' : 'free';
    if (agreed) quit();
  };
  return () => {
    if (state === 'asking') return false;
    const jobs = state === 'agreed' ? 0 : running();
    if (jobs === 0) return true;
    void decide(jobs);
    return false;
  };
}

function leaveQuestion(jobs: number): LeaveQuestion {
  const isOne = jobs === 1;
  const job = isOne ? 'the job' : 'the jobs';
  const resumes = `Cordon resumes ${job} if it starts again within 30 minutes. After that, resume ${isOne ? 'it' : 'them'} on the Jobs screen.`;
  return {
    message: `Quit Cordon while ${counted(jobs, nouns.job)} ${isOne ? 'is' : 'are'} running?`,
    detail: `Quitting interrupts ${job}. Changes that were sent keep their state. ${resumes}`,
  };
}
