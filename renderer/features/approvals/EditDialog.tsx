import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { findCommand } from '#shared/commands/catalogue.ts';
import type { Approval } from '#shared/model/approval.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import styles from './approvals.module.css';
import { t } from './text.ts';
import { useContent } from './WaitingCard.tsx';
import { toldOf } from './words.ts';

interface EditProps {
	readonly approval: Approval;
	readonly onClose: (outcome?: string) => void;
}

/** Other arguments are another digest: the former request is withdrawn and the edit is requested. */
export function EditDialog({ approval, onClose }: EditProps) {
	const { client } = useApi();
	const content = useContent(approval, true);
	const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
	const replace = useMutation({
		mutationFn: () => client.approvals.edit({ id: approval.id, args: { ...edits } }),
		onSuccess: (made) => onClose(toldOf(made)),
	});
	const fault = replace.error ?? content.error;
	const error = fault === null ? null : asCordonError(fault);
	const args = argsOf(content.data);
	const isEdited = Object.entries(edits).some(([name, value]) => value !== args[name]);
	return (
		<Dialog
			title={t.editTitle(approval.title)}
			isOpen
			onClose={() => onClose()}
			footer={
				<>
					<Button onPress={() => onClose()}>{t.cancel}</Button>
					<Button tone="primary" onPress={() => replace.mutate()} reason={isEdited ? null : t.nothingEdited}>
						{t.replaceNow}
					</Button>
				</>
			}
		>
			<div className={styles['fields']}>
				<p className={styles['dim']}>{t.editNote}</p>
				{content.isPending ? <SkeletonLines lines={3} label={t.loadingContent} /> : null}
				{Object.entries(args).map(([name, value], index) => (
					<TextField
						key={name}
						label={name}
						value={edits[name] ?? value}
						onChange={(text) => setEdits((old) => ({ ...old, [name]: text }))}
						error={error?.details.field === name ? error.message : null}
						autoFocus={index === 0}
					/>
				))}
				{error === null ? null : <Banner tone="bad">{error.message}</Banner>}
			</div>
		</Dialog>
	);
}

/** All arguments of the command but secret ones, which no approval holds; empty where none was given. */
function argsOf(content: unknown): Readonly<Record<string, string>> {
	// Written by `changeProposal`.
	const { command = '', args = {} } = (content ?? {}) as {
		readonly command?: string;
		readonly args?: Readonly<Record<string, unknown>>;
	};
	const names = Object.entries(findCommand(command)?.args ?? {}).flatMap(([name, { secret }]) =>
		secret ? [] : [name],
	);
	return Object.fromEntries(
		names.map((name) => [name, typeof args[name] === 'string' ? args[name] : (JSON.stringify(args[name]) ?? '')]),
	);
}
