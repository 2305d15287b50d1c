import { Select } from '../../ui/Select.tsx';
import { usualStopShare } from './bulk-parts.ts';
import { t } from './text.ts';

interface StopShareFieldProps {
  /** 0 to 1. */
  readonly share: number;
  readonly onChange: (share: number) => void;
}

const shares = [0, 0.05, 0.1, 0.2, 0.5, 1];

/** After how many failures a job sends nothing more. */
export function StopShareField({ share, onChange }: StopShareFieldProps) {
  return (
    <Select
      label={t.stopAfterFailures}
      value={String(share)}
      options={shares.map((each) => ({
        value: String(each),
        label: wordsOf(each),
        ...(each === usualStopShare ? { detail: 'as usual' } : {}),
      }))}
      onChange={(value) => onChange(Number(value))}
      description={t.shareFailures}
    />
  );
}

function wordsOf(share: number): string {
  if (share === 0) return 'the first one';
  return share === 1 ? 'never: all are tried' : `more than ${share * 100} %`;
}
