import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { MadeToken, TokenKind, TokenScope } from '#shared/model/door.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import styles from './automation.module.css';
import { t } from './text.ts';

interface TokenDialogProps {
	readonly kind: TokenKind;
	readonly onMade: (made: MadeToken) => void;
	readonly onClose: () => void;
}

/** Name, scope, connections and end of a token. */
export function TokenDialog({ kind, onMade, onClose }: TokenDialogProps) {
	const { client, queries } = useApi();
	const { id: active } = useActiveConnection();
	const { data: connections = [] } = useQuery(queries.connections.list.queryOptions());
	const [name, setName] = useState('');
	const [scope, setScope] = useState<TokenScope>('read');
	const [days, setDays] = useState('90');
	const [chosen, setChosen] = useState<readonly string[]>([active]);
	const make = useMutation({
		mutationFn: () => client.doors.create({ name, kind, scope, connections: [...chosen], days: Number(days) }),
		onSuccess: onMade,
	});
	const error = make.error === null ? null : asCordonError(make.error);
	const missing = name.trim() === '' ? t.nameMissing : chosen.length === 0 ? t.connectionMissing : null;
	const title = kind === 'assistant' ? t.enableAssistant : t.createToken;
	const scopes = [
		{ value: 'read', label: t.readOnly },
		{ value: 'change', label: kind === 'assistant' ? t.readAndPropose : t.readAndChange },
	] as const;
	return (
		<Dialog
			title={title}
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button tone="primary" onPress={() => make.mutate()} reason={missing}>
						{title}
					</Button>
				</>
			}
		>
			<div className={styles['fields']}>
				<TextField label={t.name} value={name} onChange={setName} maxLength={60} autoFocus />
				<Select label={t.scope} options={scopes} value={scope} onChange={setScope} />
				<TextField label={t.daysUntilEnd} value={days} onChange={setDays} />
				{connections.map(({ id, name: label }) => (
					<Checkbox
						key={id}
						isSelected={chosen.includes(id)}
						onChange={(on) => setChosen((old) => (on ? [...old, id] : old.filter((one) => one !== id)))}
					>
						{label}
					</Checkbox>
				))}
				{error === null ? null : <Banner tone="bad">{error.message}</Banner>}
			</div>
		</Dialog>
	);
}
