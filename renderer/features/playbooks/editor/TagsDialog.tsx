import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { PlaybookSummary } from '#shared/model/playbook.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { t } from '../text.ts';

interface TagsDialogProps {
	readonly playbook: PlaybookSummary;
	readonly onClose: () => void;
}

/** Words to find playbooks by. They are no part of the document. */
export function TagsDialog({ playbook: { id, name, tags }, onClose }: TagsDialogProps) {
	const { client, queries, cache } = useApi();
	const [text, setText] = useState(tags.join(', '));
	const save = useMutation({
		mutationFn: () => client.playbooks.tag({ playbook: id, tags: text.split(/\s*,\s*/).filter(Boolean) }),
		onSuccess: () => {
			void cache.invalidateQueries({ queryKey: queries.playbooks.list.key() });
			void cache.invalidateQueries({ queryKey: queries.playbooks.get.key() });
			onClose();
		},
	});
	return (
		<Dialog
			title={t.tagsOf(name)}
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button tone="primary" onPress={() => save.mutate()}>
						{t.saveTags}
					</Button>
				</>
			}
		>
			<TextField
				label={t.tags}
				description={t.tagsAreSeparated}
				value={text}
				onChange={setText}
				error={save.error === null ? null : asCordonError(save.error).message}
				autoFocus
			/>
		</Dialog>
	);
}
