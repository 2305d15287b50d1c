import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Button } from '../../ui/Button.tsx';
import { FailureBanner } from '../../ui/FailureBanner.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { t } from './text.ts';
import type { Activity } from './use-activity.ts';

/** Why an answer stopped, and the way on. */
export function Stopped({ activity }: { readonly activity: Activity }) {
	const { answer, isAsking, ask, error } = activity;
	if (isAsking) return null;
	if (error !== null)
		return (
			<FailureBanner
				error={error}
				tone={error.code === 'rate_limited' ? 'warning' : 'bad'}
				action={
					<Button size="small" onPress={() => ask(false)}>
						{t.tryAgain}
					</Button>
				}
			>
				{t.couldNotQuery} <Reason error={error} />
			</FailureBanner>
		);
	if (answer === null || answer === undefined || answer.phase !== 'partial') return null;
	const left = answer.callsLeft === null ? '1 call or more' : `${counted(answer.callsLeft, nouns.call)}`;
	return (
		<FailureBanner
			error={answer.error}
			action={
				<Button size="small" onPress={() => ask(true)}>
					{t.continue(left)}
				</Button>
			}
		>
			{answer.error === null ? t.queryStopped : <Reason error={answer.error} />}{' '}
			{answer.computers.length === 0
				? t.noAnswerYet
				: t.theseFirst(
						formatCount(answer.computers.length),
						answer.total === null ? '' : t.ofOf(formatCount(answer.total)),
					)}
		</FailureBanner>
	);
}
