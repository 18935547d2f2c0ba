import type { Invariant } from './invariant.ts'

export const customerRules: Invariant[] = [
  {
    rule: 'a customer with saved addresses has one default and at most 20 of them',
    offenders: `select customer_id from addresses group by customer_id
      having count(*) filter (where is_default) <> 1 or count(*) > 20`,
  },
  {
    rule: 'a photo that a customer linked is stored, due to be fetched, or has a problem',
    offenders: `select customer_id, url from profile_photos
      where url ~ '^https?:' and hash is null and problem is null and due_at is null`,
  },
  {
    rule: 'a second step exists only for a confirmed two-step login, whose codes are numbered by 30 s',
    offenders: `select s.issuer, s.sid from two_step_sign_ins s
      left join two_step_logins l on l.customer_id = s.customer_id
      where l.confirmed_at is null
        or l.last_step not between 1 and extract(epoch from now()) / 30 + 2`,
  },
  {
    rule: 'a cart has at most 50 lines',
    offenders: 'select customer_id from cart_lines group by customer_id having count(*) > 50',
  },
  {
    rule: 'a shop with staff has an owner',
    offenders: `select count(*) from customers where role is not null
      having count(*) > 0 and count(*) filter (where is_owner) = 0`,
  },
  {
    // The migration of an earlier version marks an owner who was recorded as an admin.
    rule: 'the latest change of a role is the role',
    offenders: `select customers.id, customers.role, is_owner, latest.role as recorded from customers
      left join lateral (
        select role from role_changes where customer_id = customers.id order by id desc limit 1
      ) as latest on true
      where customers.role is distinct from case latest.role when 'owner' then 'admin' else latest.role end
        or latest.role = 'owner' and not is_owner or is_owner and latest.role not in ('owner', 'admin')`,
  },
  {
    rule: 'an accepted invitation has changed the role on behalf of its inviter',
    offenders: `select id from invitations where accepted_by is not null and not exists (
        select from role_changes
        where customer_id = accepted_by and role = invitations.role and changed_by = invited_by
      )`,
  },
]
