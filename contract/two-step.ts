import * as z from 'zod/mini'
import { requiredLine } from './fields.ts'

/** A code of the authenticator app, or a recovery code. Spaces, hyphens and case do not matter. */
export const TwoStepCode = z.object({ code: requiredLine(40, 'Code is required') })

/** Whether staff must have two-step login. */
export const TwoStepPolicy = z.object({ staff: z.enum(['off', 'required']) })
export type TwoStepPolicy = z.infer<typeof TwoStepPolicy>

/** Why staff has no permissions until the second step. */
export const openSteps = ['TWO_STEP_REQUIRED', 'TWO_STEP_NOT_SET_UP'] as const
export type OpenStep = (typeof openSteps)[number]

/** The two-step login of the caller. */
export const TwoStepState = z.object({
  isStaff: z.boolean(),
  isSetUp: z.boolean(),
  /** Whether this sign-in has passed the second step. */
  isPassed: z.boolean(),
  isRequired: z.boolean(),
  recoveryCodesLeft: z.int(),
})
export type TwoStepState = z.infer<typeof TwoStepState>

/**
 * A key for an authenticator app. `uri` contains it, and so does the QR code: a square of `size` units, whose dark units
 * are the SVG path `path`.
 */
export const TwoStepSetup = z.object({
  uri: z.string(),
  key: z.string(),
  qrCode: z.object({ size: z.int(), path: z.string() }),
})
export type TwoStepSetup = z.infer<typeof TwoStepSetup>

/** Each code replaces one code of the app, once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
