import { useState } from 'react';

import type { EventHistogram } from '#shared/contract/events.ts';
import type { AttentionItem } from '#shared/contract/sight.ts';

import { Button } from '../../ui/Button.tsx';
import { EventsHistogram } from '../../ui/chart/EventsHistogram.tsx';
import type { TimeRange } from '../../ui/chart/histogram-shapes.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { t } from './text.ts';
import { pathDuring } from './use-chosen-time.ts';
import { useOpen } from './use-open.ts';

interface TrendDialogProps {
	readonly item: Pick<AttentionItem, 'title' | 'open'>;
	readonly data: EventHistogram;
	readonly onClose: () => void;
}

/** The course of one line in full: with its severities, its table and its files, and a time of it to be opened. */
export function TrendDialog({ item, data, onClose }: TrendDialogProps) {
	const open = useOpen();
	const [brush, setBrush] = useState<TimeRange | null>(null);
	const show = (range: TimeRange | null) => {
		onClose();
		open(pathDuring(item.open, range));
	};
	return (
		<Dialog
			title={item.title}
			size="large"
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.close}</Button>
					<Button tone="primary" onPress={() => show(brush)}>
						{brush === null ? t.showTheseEvents : t.showEventsChosen}
					</Button>
				</>
			}
		>
			<EventsHistogram
				title={t.eventsSeven}
				data={data}
				brush={brush}
				onBrush={setBrush}
				onOpen={show}
				height={220}
				empty={t.noEventThese}
				fileName="attention"
			/>
		</Dialog>
	);
}
