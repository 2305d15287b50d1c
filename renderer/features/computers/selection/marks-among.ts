import type { ComputerMarks } from '#shared/contract/computer-list.ts';

export interface MarkedAmong {
  readonly what: 'protected' | 'already isolated';
  readonly guids: readonly string[];
  /** What it means for what is done next, in a sentence. */
  readonly meaning: string;
}

const meanings = {
  protected:
    'The guard rules of this connection protect them: no job isolates or moves them, though it may release them. × leaves them out of the selection.',
  isolated: 'As far as readings tell, they are isolated now. × leaves them out of the selection.',
} as const;

/** Walks over the marked ones, which are few, and never over the selection. What nobody has is left out. */
export function marksAmong(marks: ComputerMarks, selected: ReadonlySet<string>): readonly MarkedAmong[] {
  const among = (guids: readonly string[]): readonly string[] => guids.filter((guid) => selected.has(guid));
  const all: readonly MarkedAmong[] = [
    { what: 'protected', guids: among(marks.protected), meaning: meanings.protected },
    { what: 'already isolated', guids: among(marks.isolated), meaning: meanings.isolated },
  ];
  return all.filter(({ guids }) => guids.length > 0);
}
