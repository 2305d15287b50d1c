import { useMutation } from '@tanstack/react-query';

import type { EventView } from '#shared/contract/event-views.ts';

import { asCordonError } from '../../../api/errors.ts';
import { ViewNameDialog } from '../../../commands/views/ViewNameDialog.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { t } from '../text.ts';
import { describeView } from './event-view.ts';

interface EventViewDialogProps {
	readonly view: EventView;
	/** Of the other views. */
	readonly names: readonly string[];
	readonly onSave: (view: EventView) => Promise<unknown>;
	/** `null`: it is not kept yet. */
	readonly onRemove: (() => Promise<unknown>) | null;
	readonly onClose: () => void;
}

/** The name of a view; filter, time and grouping are those of the screen. It stays open when it could not be kept. */
export function EventViewDialog({ view, names, onSave, onRemove, onClose }: EventViewDialogProps) {
	const { mutate: act, error } = useMutation({
		mutationFn: (work: () => Promise<unknown>) => work(),
		onSuccess: onClose,
	});
	return (
		<ViewNameDialog
			name={view.name}
			names={names}
			description={t.itKeeps(describeView(view))}
			before={
				error === null ? null : (
					<Banner tone="bad">
						{t.couldNotSave} {asCordonError(error).message}
					</Banner>
				)
			}
			onSave={(name) => act(() => onSave({ ...view, name }))}
			onRemove={onRemove === null ? null : () => act(onRemove)}
			onClose={onClose}
		/>
	);
}
