import * as z from 'zod/mini'
import { anyEmail, email, imageUrl, line, lines, paging, requiredLine, sortBy } from './fields.ts'
import { staffRoles } from './permissions.ts'
import { openSteps } from './two-step.ts'

export const sexes = ['Male', 'Female', 'Common'] as const
export const blank = z.literal('')

/** A user in API responses. `birthday` is YYYY-MM-DD. Missing values are empty strings. */
export const User = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  birthday: z.string(),
  sex: z.union([z.enum(sexes), blank]),
  bio: z.string(),
  photo: z.string(),
  role: z.optional(z.literal('admin')),
  /** The role of staff. An owner is also an admin in `role`; editors, packers and support have no `role`. */
  staffRole: z.optional(z.enum(staffRoles)),
  /** In lists, whether no one has confirmed the email: the account can be a stranger's. */
  unverified: z.optional(z.literal(true)),
  /** Path of the shop's copy of the photo, which screens show. Missing in lists. */
  avatar: z.optional(z.string()),
  /** Why the shop has no copy. */
  photoProblem: z.optional(z.string()),
})
export type User = z.infer<typeof User>

/** Why the shop has no copy of a photo. */
export const photoProblems = {
  not_public: 'This link does not lead to a public website. Choose a file, or enter another link.',
  unreachable: 'We could not load an image from this link. Choose a file, or enter another link.',
  not_an_image: 'This link is not a JPEG, PNG, WebP or AVIF image. Choose a file, or enter another link.',
  too_large: 'The image behind this link is too large. Choose a file, or enter another link.',
} as const
export type PhotoProblem = keyof typeof photoProblems

export const UserEmail = z.object({ email: anyEmail })

export const userSorts = ['name', 'email', 'birthday'] as const
export const UserQuery = z.object({
  ...paging,
  sort: sortBy(userSorts),
  role: z.optional(z.enum(['admin', 'customer'])),
})
export type UserQuery = z.infer<typeof UserQuery>

export const IdTokenExchange = z.object({
  email: z.optional(line(254)),
  /** Ignored if it is not a line of at most 120 characters: a display name must not refuse a sign-in. */
  // oxlint-disable-next-line promise/valid-params -- the fallback of a schema, not of a promise
  name: z.catch(z.optional(line(120)), undefined),
  idToken: z.optional(z.string().check(z.maxLength(8192))),
})

/** The shop's access token and its user. `openStep`: why staff has no permissions yet. */
export const Session = z.object({ token: z.string(), user: User, openStep: z.optional(z.enum(openSteps)) })
export type Session = z.infer<typeof Session>

/** Between 1900 and 2099. */
const birthday = z.iso
  .date('Enter a date such as 1990-04-30')
  .check(z.regex(/^(19|20)/, 'Enter a date such as 1990-04-30'))

/** A missing or blank field keeps the old value. */
export const Profile = z.object({
  name: z.optional(line(120)),
  birthday: z.optional(z.union([birthday, blank])),
  phone: z.optional(line(40)),
  sex: z.optional(z.union([z.enum(sexes), blank])),
  bio: z.optional(lines(2000)),
  photo: z.optional(z.union([blank, imageUrl])),
})
export type Profile = z.infer<typeof Profile>

export const MakeAdmin = z.strictObject({ role: z.literal('admin') })

export const passwordMinimum = 6
const password = (required: string) =>
  z
    .string(required)
    .check(
      z.minLength(1, required),
      z.minLength(passwordMinimum, 'Minimum 6 characters required'),
      z.maxLength(128, 'At most 128 characters'),
    )

export const SignIn = z.object({ email, password: password('Password is required') })

export const SignUp = z.object({
  name: requiredLine(120, 'Name is required'),
  email,
  password: password('Password is required'),
  confirmPassword: password('Confirm Password is required'),
})
export type SignUp = z.infer<typeof SignUp>

export const ForgotPassword = z.object({ email })

export const NewPassword = z.object({
  password: password('Password is required'),
  confirmPassword: password('Confirm Password is required'),
})
