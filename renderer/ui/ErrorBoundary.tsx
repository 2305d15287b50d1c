import {Component, type ReactNode} from 'react'

import {CordonError} from '#contract/errors.ts'

import {ErrorState} from './States.tsx'
import {t} from './text.ts'

interface Props {
	children: ReactNode
	/** Title of the failure message. */
	title?: string
	/** A new value tries again. */
	resetKey?: string
}

/** Confines a rendering error to one part of the page. */
export class ErrorBoundary extends Component<Props, {readonly error: unknown}> {
	override state: {readonly error: unknown} = {error: null}

	static getDerivedStateFromError(error: unknown) {
		return {error}
	}

	override componentDidUpdate(previous: Props): void {
		if (previous.resetKey !== this.props.resetKey && this.state.error !== null) this.setState({error: null})
	}

	override render(): ReactNode {
		const {error} = this.state
		if (error === null) return this.props.children
		return (
			<ErrorState
				error={asCordonError(error)}
				title={this.props.title ?? t.partWindow}
				onRetry={() => this.setState({error: null})}
			/>
		)
	}
}

function asCordonError(error: unknown) {
	if (error instanceof CordonError) return error
	return new CordonError('internal', error instanceof Error ? `Something went wrong inside Cordon: ${error.message}` : undefined)
}
