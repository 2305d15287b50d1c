import type { ComputerDetail } from '#shared/contract/contract.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { RevealDialog as Reveal } from '../../commands/guard/RevealDialog.tsx';
import { TargetComputer } from '../../commands/TargetComputer.tsx';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows the unlock code of this computer once, for a reason that the log keeps. */
export function RevealDialog({ detail, isOpen, onClose }: DialogProps) {
  const { id } = useActiveConnection();
  return (
    <Reveal connection={id} guid={detail.row.guid} isOpen={isOpen} onClose={onClose}>
      <TargetComputer detail={detail} />
    </Reveal>
  );
}
