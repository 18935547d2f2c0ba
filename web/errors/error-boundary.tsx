import { Component, type ReactNode } from 'react'
import type { Page } from '../router/page.ts'
import { ErrorPage } from './error-page.tsx'

interface ErrorBoundaryProps {
  page: Page
  children: ReactNode
}

interface State {
  hasFailed: boolean
  page: Page
}

/** Shows an error page if rendering fails. Resets when the page changes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { hasFailed: false, page: this.props.page }

  static getDerivedStateFromProps({ page }: ErrorBoundaryProps, last: State): State | null {
    return page === last.page ? null : { hasFailed: false, page }
  }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override render() {
    return this.state.hasFailed ? <ErrorPage status={500} /> : this.props.children
  }
}
