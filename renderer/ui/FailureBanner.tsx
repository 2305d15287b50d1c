import type {CordonError, ErrorReport} from '#contract/errors.ts'

import {Banner, type BannerProps} from './States.tsx'
import {useTelling} from './Telling.tsx'

interface FailureBannerProps extends BannerProps {
	/** The reported failure. */
	error: CordonError | ErrorReport | null
}

/** Above earlier rows: why there are no newer ones. The frame then does not report it. */
export function FailureBanner({error, tone = 'warning', action, children, ...rest}: FailureBannerProps) {
	const remedy = useTelling(error)
	return (
		<Banner
			{...rest}
			tone={tone}
			action={
				<>
					{remedy?.(true)}
					{action}
				</>
			}
		>
			{children}
		</Banner>
	)
}
