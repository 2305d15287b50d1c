import type { InventoryState } from '#shared/model/frame.ts';
import { formOf } from '#shared/text/numbers.ts';

import { useReadComputers } from '../../commands/use-read-computers.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { Time } from '../../ui/Time.tsx';
import { t } from './text.ts';

interface MissingProps {
	readonly inventory: InventoryState | undefined;
	/** The frame says already that the service fails. */
	readonly isToldAbove: boolean;
}

/** Tells when the numbers are not the whole truth: pages that failed, or a reading that did not come at all. */
export function Missing({ inventory, isToldAbove }: MissingProps) {
	const read = useReadComputers();
	if (inventory === undefined || inventory.rows === 0) return null;
	if (inventory.phase === 'partial') {
		const pages = inventory.missing.map((offset) => offset / 500 + 1).join(', ');
		return (
			<Banner
				tone="warning"
				action={
					<Button size="small" onPress={read.missing}>
						{t.loadWhatMissing}
					</Button>
				}
			>
				{t.computersCould(formOf(inventory.missing.length, ['Page', 'Pages']), pages)}{' '}
				<Reason error={inventory.error} /> {t.numbersCount}
			</Banner>
		);
	}
	if (inventory.phase !== 'failed' || isToldAbove) return null;
	return (
		<Banner
			tone="warning"
			action={
				<Button size="small" onPress={read.again}>
					{t.tryAgain}
				</Button>
			}
		>
			{t.couldNotRefresh} <Reason error={inventory.error} /> {t.numbersLocal}{' '}
			<Time at={inventory.readAt} form="age" focusable /> {t.oldAtEnd}
		</Banner>
	);
}
