import {Plus, X} from 'lucide-react'
import {useState} from 'react'

import {hmacPresets, type AccessKind, type Instance} from '#model/instance.ts'

import {Button, IconButton, CopyButton} from '#ui/Button.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import type {Draft} from './draft.ts'
import type {PartProps} from './fields.tsx'
import styles from './form.module.css'
import {t} from './text.ts'

type AccessPartProps = PartProps & {stored: Instance | null}

const kinds: readonly {value: AccessKind; label: string; detail: string}[] = [
	{value: 'none', label: 'None', detail: 'anyone who can reach the server'},
	{value: 'basic', label: 'User and password', detail: 'what firewalls know'},
	{value: 'bearer', label: 'Bearer token', detail: 'a secret in a header'},
	{value: 'hmac', label: 'Signed body', detail: 'Slack, GitHub, Teams'},
	{value: 'certificate', label: 'Client certificate', detail: 'of an authority you name'}
]

/** Access through the route. Secrets are entered here and never shown again. */
export function AccessPart(props: AccessPartProps) {
	const {draft, field, errorAt} = props
	return (
		<fieldset>
			<legend>{t.accessThrough}</legend>
			<Select
				label={t.accessControl}
				{...field('access')}
				options={kinds}
				error={draft.access === 'none' ? errorAt('access') : null}
				className={styles.narrow}
			/>
			{draft.access === 'basic' && <Users {...props} />}
			{draft.access === 'bearer' && <Token {...props} />}
			{draft.access === 'hmac' && <Signature {...props} />}
			{draft.access === 'certificate' && <ClientCertificate {...props} />}
		</fieldset>
	)
}

function storedNames(stored: Instance | null) {
	return stored?.access.kind === 'basic' ? stored.secrets.users : []
}

function Users({draft, set, field, errorAt, stored}: AccessPartProps) {
	const known = storedNames(stored)
	const error = errorAt('secrets.users')
	const change = (index: number, next: Partial<Draft['users'][number]>) =>
		set({users: draft.users.map((user, at) => (at === index ? {...user, ...next} : user))})
	return (
		<div className="tight">
			{known.length !== 0 && (
				<p className="note">{t.leaveEmpty(known.length === 1 ? t.n1UserStored : t.usersStored(known.length), known.join(', '))}</p>
			)}
			{draft.users.map((user, index) => (
				<div key={user.row} className={styles.user}>
					<TextField
						label={t.user}
						value={user.name}
						onChange={name => change(index, {name})}
						autoComplete="off"
						mono
						error={index === 0 ? error : null}
					/>
					<TextField
						label={t.password}
						type="password"
						value={user.password}
						onChange={password => change(index, {password})}
						autoComplete="new-password"
						mono
					/>
					<IconButton
						label={t.removeThisUser}
						onPress={() => set({users: draft.users.filter((_, at) => at !== index)})}
						reason={draft.users.length === 1 ? t.noOtherRow : null}
					>
						<X size={13} />
					</IconButton>
				</div>
			))}
			<div className={styles.row}>
				<Button small onPress={() => set({users: [...draft.users, {row: (draft.users.at(-1)?.row ?? 0) + 1, name: '', password: ''}]})}>
					<Plus size={13} aria-hidden /> {t.anotherUser}
				</Button>
				<TextField label={t.realm} {...field('realm', 'access.realm')} className={styles.narrow} />
			</div>
		</div>
	)
}

function Token({draft, set, field, errorAt, stored}: AccessPartProps) {
	const kept = stored?.access.kind === 'bearer' ? stored.secrets.tokens : 0
	const [isGenerated, setGenerated] = useState(false)
	return (
		<div className="tight">
			<TextField
				label={t.token}
				type={isGenerated ? 'text' : 'password'}
				value={draft.token}
				onChange={token => {
					setGenerated(false)
					set({token})
				}}
				mono
				autoComplete="new-password"
				error={errorAt('secrets.tokens')}
				description={isGenerated ? t.copyNowOnce : kept === 0 ? t.least16Characters : t.storedLeave(kept === 1 ? t.n1Token : t.tokens(kept))}
				after={
					<>
						{isGenerated && <CopyButton text={draft.token} what="token" />}
						<Button
							onPress={() => {
								setGenerated(true)
								set({token: newToken()})
							}}
							className={styles.check}
						>
							{t.generateToken}
						</Button>
					</>
				}
			/>
			<TextField label={t.header} {...field('header', 'access.header')} mono description={t.authorizationAfter} className={styles.narrow} />
		</div>
	)
}

/** 256 bits, in characters without special meaning in addresses and shells. */
function newToken() {
	return [...crypto.getRandomValues(new Uint8Array(32))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

const presetWords = {
	slack: {label: 'Slack', detail: 'X-Slack-Signature, signed time'},
	github: {label: 'GitHub', detail: 'X-Hub-Signature-256'},
	teams: {label: 'Microsoft Teams', detail: 'Authorization: HMAC'},
	standard: {label: 'Standard Webhooks', detail: 'webhook-signature, signed time'}
} as const

function Signature({draft, field, stored}: AccessPartProps) {
	const isKept = stored?.access.kind === 'hmac' && stored.secrets.signingKey
	return (
		<div className={styles.triple}>
			<Select label={t.formSignature} {...field('preset')} options={hmacPresets.map(value => ({value, ...presetWords[value]}))} />
			<TextField
				label={t.signingKey}
				type="password"
				{...field('signingKey', 'secrets.signingKey')}
				mono
				autoComplete="new-password"
				description={isKept ? t.keyStoredLeave : t.keptEncrypted}
			/>
			<TextField label={t.clockToleranceSeconds} {...field('toleranceS', 'access.toleranceS')} isDisabled={draft.preset !== 'slack'} />
		</div>
	)
}

function ClientCertificate({field}: AccessPartProps) {
	return (
		<>
			<TextArea
				label={t.certificateAuthorities}
				{...field('authorities', 'access.authorities')}
				isRequired
				mono
				rows={4}
				placeholder={t.beginCertificate}
				description={t.pemClientShows}
			/>
			<TextArea label={t.commonNames} {...field('names', 'access.names')} mono rows={2} description={t.onePerLine} />
		</>
	)
}
