import { useMutation, useMutationState } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';

import type { ErrorReport } from '#shared/contract/errors.ts';
import type { FrameState, LinkState } from '#shared/model/frame.ts';
import { asSentence } from '#shared/sentence.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';
import { formatDifference } from '#shared/text/durations.ts';

import { useActiveConnectionOrNull, useActiveFrame } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { asCordonError } from '../api/errors.ts';
import { useManaged } from '../api/hooks.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { useFromNow } from '../ui/Clock.tsx';
import { TellingProvider, useIsToldInPlace } from '../ui/Telling.tsx';
import { Countdown, Time } from '../ui/Time.tsx';
import { skewInBanner } from '../ui/time.ts';
import { isSetAside } from './budget-words.ts';
import { t } from './text.ts';

/** What a person must know about the connection as a whole. */
export function Banners() {
	const frame = useActiveFrame();
	// The connection is known before its frame is: a line that came later would move the whole screen.
	const isSandbox = useActiveConnectionOrNull()?.sandbox === true;
	return (
		<>
			<ManagedBanner />
			<SettingBanner />
			{isSandbox ? <SandboxBanner /> : null}
			{frame === null ? null : <FrameBanners frame={frame} />}
		</>
	);
}

function FrameBanners({ frame }: { readonly frame: FrameState }) {
	return (
		<>
			{frame.connection.insecure ? <InsecureBanner frame={frame} /> : null}
			{frame.link.kind === 'failing' ? <FailingBanner frame={frame} link={frame.link} /> : null}
			<BudgetBanner frame={frame} />
			<ClockBanner skewMs={frame.clockSkewMs} />
		</>
	);
}

/** A file of the administrator that cannot be used holds more than usual: that is told wherever one is. */
function ManagedBanner() {
	const { problem } = useManaged();
	if (problem === null) return null;
	return (
		<Banner tone="bad">
			<strong>{t.yourAdministrators}</strong> {problem} {t.everyConnection}
		</Banner>
	);
}

/** A setting that could not be kept springs back: wherever it was changed, that is told. */
function SettingBanner() {
	const { queries } = useApi();
	const mutationKey = queries.settings.set.mutationKey();
	const last = useMutationState({ filters: { mutationKey }, select: ({ state }) => state }).at(-1);
	const [dismissed, setDismissed] = useState(0);
	if (last?.status !== 'error' || last.submittedAt <= dismissed) return null;
	const dismiss = (
		<Button size="small" onPress={() => setDismissed(last.submittedAt)}>
			{t.dismiss}
		</Button>
	);
	return (
		<Banner tone="bad" action={dismiss}>
			{t.settingNot} {asSentence(asCordonError(last.error).message)}
		</Banner>
	);
}

function SandboxBanner() {
	const navigate = useNavigate();
	return (
		<Banner
			action={
				<Button size="small" onPress={() => void navigate({ to: '/connections', search: { add: true } })}>
					{t.connectYourService}
				</Button>
			}
		>
			{t.sandboxSimulated}
		</Banner>
	);
}

function InsecureBanner({ frame }: { readonly frame: FrameState }) {
	const navigate = useNavigate();
	const edit = () => void navigate({ to: '/connections', search: { edit: frame.connection.id } });
	return (
		<Banner
			tone="bad"
			action={
				<Button size="small" onPress={edit}>
					{t.changeTitle}
				</Button>
			}
		>
			<strong>{t.trustAnyCertificate}</strong> {t.anyoneNetwork(frame.connection.name)}
		</Banner>
	);
}

function FailingBanner({
	frame,
	link,
}: {
	readonly frame: FrameState;
	readonly link: Extract<LinkState, { readonly kind: 'failing' }>;
}) {
	const { queries } = useApi();
	const refresh = useMutation(queries.computers.refresh.mutationOptions());
	const isToldInPlace = useIsToldInPlace();
	const { error, since } = link;
	if (error.code === 'rate_limited' || isToldInPlace) return null;
	const retry = () => refresh.mutate({ connection: frame.connection.id });
	const again = (
		<Button size="small" onPress={retry} isDisabled={refresh.isPending}>
			{t.tryAgain}
		</Button>
	);
	return (
		<Banner tone="bad" action={isOfKey(error) ? <ReplaceKey connection={frame.connection.id} size="small" /> : again}>
			{asSentence(error.message)} {t.since} <Time at={since} form="clock" />
			{frame.inventory.rows === 0 ? '.' : t.youViewing}
			{error.requestId === undefined || error.message.includes(error.requestId) ? null : t.request(error.requestId)}
		</Banner>
	);
}

function isOfKey({ code }: Pick<ErrorReport, 'code'>): boolean {
	return code === 'unauthorized' || code === 'secret_unavailable';
}

function ReplaceKey({ connection, size }: { readonly connection: string; readonly size: 'small' | 'medium' }) {
	const navigate = useNavigate();
	return (
		<Button
			size={size}
			onPress={() => void navigate({ to: '/connections', search: { edit: connection, replaceKey: true } })}
		>
			{t.replaceKey}
		</Button>
	);
}

/** What fails on the connection as a whole, for screens that tell it in their own place. */
export function Telling({ children }: { readonly children: ReactNode }) {
	const frame = useActiveFrame();
	const cause = frame?.link.kind === 'failing' ? frame.link.error : null;
	const connection = frame?.connection.id;
	const remedyOf = useCallback(
		(error: Pick<ErrorReport, 'code'>) =>
			connection === undefined || !isOfKey(error)
				? null
				: (size: 'small' | 'medium') => <ReplaceKey connection={connection} size={size} />,
		[connection],
	);
	return (
		<TellingProvider cause={cause} remedyOf={remedyOf}>
			{children}
		</TellingProvider>
	);
}

function BudgetBanner({ frame }: { readonly frame: FrameState }) {
	const until = frame.budget?.waitingUntil ?? null;
	const left = frame.budget?.remaining ?? 0;
	const waits = useFromNow((now) => until !== null && Date.parse(until) > now);
	if (!waits || until === null) return null;
	if (frame.budget !== null && isSetAside(frame.budget))
		return (
			<Banner tone="warning">
				{t.jobsReserved} <Time at={until} form="clock" /> {t.mostCommands}
			</Banner>
		);
	return (
		<Banner tone="warning">
			{t.apiLimitReached} <Time at={until} form="clock" />
			{t.in} <Countdown to={until} />. {left > 0 ? t.reservedForReleases(counted(left, nouns.call)) : t.noCallsLeft}
		</Banner>
	);
}

function ClockBanner({ skewMs }: { readonly skewMs: number | null }) {
	if (skewMs === null || Math.abs(skewMs) < skewInBanner) return null;
	const side = skewMs > 0 ? 'ahead of' : 'behind';
	return <Banner tone="warning">{t.computersClock(formatDifference(Math.abs(skewMs)), side)}</Banner>;
}
