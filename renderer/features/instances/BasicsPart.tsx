import { useState } from 'react';

import type { ForwarderStatus } from '#shared/contract/instances.ts';
import { nameProblem, needsEncoding, type Instance } from '#shared/model/instance.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { TextField } from '../../ui/Field.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import type { Draft } from './draft.ts';
import { errorAt, type PartProps } from './fields.tsx';
import styles from './form.module.css';
import { t } from './text.ts';

interface BasicsPartProps extends PartProps {
	readonly stored: Instance | null;
	readonly server: ForwarderStatus | undefined;
}

/** Its name, which is its address, and its port. */
export function BasicsPart({ draft, set, problem, stored, server }: BasicsPartProps) {
	return (
		<>
			<div className={styles['field']}>
				<TextField
					label={t.name}
					value={draft.name}
					onChange={(name) => set({ name })}
					isRequired
					autoFocus
					maxLength={200}
					autoComplete="off"
					error={errorAt(problem, 'name')}
					placeholder={t.edl}
				/>
				<Preview name={draft.name.trim()} origin={server?.origins[0] ?? ''} stored={stored} />
			</div>
			<RadioGroup
				label={t.whoRunsIt}
				orientation="horizontal"
				value={draft.kind}
				onChange={(kind) =>
					set({
						kind,
						...(stored === null && { port: usualPort(kind, draft.listenPort) }),
						// It takes nothing else.
						...(kind === 'webhook' && draft.access === 'none' && { access: 'hmac' }),
					})
				}
				options={[
					{ value: 'external', label: 'Someone else', detail: 'a service on this computer' },
					{ value: 'managed', label: 'Cordon', detail: 'starts a command, keeps it running' },
					{ value: 'list', label: 'Built in: list service', detail: 'publishes a list for firewalls' },
					{ value: 'indicators', label: 'Built in: indicator export', detail: 'TAXII 2.1 for threat intelligence' },
					{ value: 'webhook', label: 'Built in: webhook', detail: 'takes signed requests, such as chat commands' },
				]}
			/>
			<Port draft={draft} set={set} problem={problem} stored={stored} />
		</>
	);
}

/** Of what Cordon runs the port does not matter; of what others run it is a fact. */
function usualPort(kind: Draft['kind'], typed: string): Draft['port'] {
	return kind === 'external' || typed !== '' ? 'given' : 'automatic';
}

/** The address as it will be, while the name is being typed. Always two lines high. */
function Preview({
	name,
	origin,
	stored,
}: {
	readonly name: string;
	readonly origin: string;
	readonly stored: Instance | null;
}) {
	const wrong = name === '' ? null : nameProblem(name.normalize('NFC'));
	const note = noteOf(name, wrong, stored);
	const isWarning = wrong !== null || needsEncoding(name === '' ? 'x' : name);
	return (
		<p className={styles['preview']} aria-live="polite">
			<span className={styles['url']}>
				{t.instanceExecute(origin, wrong === null && name !== '' ? encodeURIComponent(name.normalize('NFC')) : '…')}
			</span>
			<span className={cx(styles['note'], isWarning && styles['warn'])}>{note}</span>
		</p>
	);
}

function noteOf(name: string, wrong: string | null, stored: Instance | null): string {
	if (name === '') return 'The name is part of the address, and case-sensitive.';
	if (wrong !== null) return `It ${wrong}.`;
	if (needsEncoding(name))
		return 'It must be encoded in addresses, which firewalls and chat services are known to get wrong: letters, digits, dots, - and _ are safe.';
	if (stored !== null && stored.name !== name)
		return `Addresses with the old name ${stored.name} go on working until another instance takes it.`;
	return 'The name is case-sensitive.';
}

function Port({ draft, set, problem, stored }: PartProps & { readonly stored: Instance | null }) {
	const isGiven = draft.port === 'given';
	const external = draft.kind === 'external';
	return (
		<div className={styles['port']}>
			<RadioGroup
				label={t.listenPort}
				orientation="horizontal"
				value={draft.port}
				onChange={(port) => set({ port })}
				options={[
					{ value: 'automatic', label: 'Automatic', detail: 'a free loopback port, kept from then on' },
					{ value: 'given', label: 'Given', detail: external ? 'where the service listens' : 'a port of your choice' },
				]}
			/>
			<PortNumber draft={draft} set={set} problem={problem} stored={stored} isDisabled={!isGiven} />
		</div>
	);
}

type Found = { readonly port: string; readonly text: string; readonly isGood: boolean };

interface PortNumberProps extends PartProps {
	readonly stored: Instance | null;
	readonly isDisabled: boolean;
}

function PortNumber({ draft, set, problem, stored, isDisabled }: PortNumberProps) {
	const { client } = useApi();
	const [found, setFound] = useState<Found | null>(null);
	const [isChecking, setChecking] = useState(false);
	const port = draft.listenPort.trim();
	const check = async () => {
		setChecking(true);
		try {
			const input = { port: Number(port), ...(stored === null ? {} : { id: stored.id }) };
			const { free, holder } = await client.instances.checkPort(input);
			setFound({ port, ...wordsOf(free, holder, draft.kind === 'external') });
		} catch (thrown) {
			setFound({ port, text: asCordonError(thrown).message, isGood: false });
		}
		setChecking(false);
	};
	return (
		<div className={styles['portNumber']}>
			<TextField
				label={t.port}
				value={draft.listenPort}
				onChange={(listenPort) => set({ listenPort })}
				isDisabled={isDisabled}
				error={isDisabled ? null : errorAt(problem, 'listenPort')}
				autoComplete="off"
				placeholder="9000"
				after={
					<Button
						onPress={() => void check()}
						reason={isDisabled || !/^\d{1,5}$/.test(port) ? t.typePortFirst : isChecking ? t.checking : null}
						className={styles['check']}
					>
						{t.checkPort}
					</Button>
				}
			/>
			<p className={cx(styles['note'], found?.isGood === false && styles['warn'])} role="status">
				{found !== null && found.port === port ? found.text : ''}
			</p>
		</div>
	);
}

/** A port that is held is what an external instance needs, and what the others cannot use. */
function wordsOf(free: boolean, holder: string | null, external: boolean): Omit<Found, 'port'> {
	const by = holder === null ? 'by another program' : `by ${holder}`;
	if (external) {
		return free ? { text: 'Nothing listens there yet.', isGood: true } : { text: `Held ${by}.`, isGood: true };
	}
	return free ? { text: 'It is free.', isGood: true } : { text: `It is held ${by}.`, isGood: false };
}
