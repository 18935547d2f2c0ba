import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes'

/** The specification's table of screens, three that letters need, and four of the admin's own. */
export default [
  index('pages/home.tsx'),
  route('login', 'pages/login.tsx'),
  route('signup', 'pages/sign-up.tsx'),
  route('forgot-password', 'pages/forgot-password.tsx'),
  route('reset-password', 'pages/reset-password.tsx'),
  route('verify-email', 'pages/verify-email.tsx'),
  route('products', 'pages/products.tsx'),
  route('product/:id/:slug?', 'pages/product.tsx'),
  route('reviews', 'pages/reviews.tsx'),
  route('contact-us', 'pages/contact-us.tsx'),
  route('blogs', 'pages/blogs.tsx'),

  layout('pages/signed-in.tsx', [
    route('purchase/:id', 'pages/purchase.tsx'),
    ...prefix('dashboard', [
      route('payment/:id', 'pages/payment.tsx'),
      layout('pages/dashboard.tsx', [
        index('pages/my-profile.tsx'),
        route('my-orders', 'pages/my-orders.tsx'),
        route('add-review', 'pages/add-review.tsx'),
        layout('pages/admin-only.tsx', [
          route('manage-orders', 'pages/manage-orders.tsx'),
          route('manage-users', 'pages/manage-users.tsx'),
          route('manage-products', 'pages/manage-products.tsx'),
          route('import-products', 'pages/import-products.tsx'),
          route('add-product', 'pages/add-product.tsx'),
          route('edit-product/:id', 'pages/edit-product.tsx'),
          route('update-product/:id', 'pages/update-product.tsx'),
          route('refunds', 'pages/refunds.tsx'),
          route('audit', 'pages/audit.tsx'),
        ]),
      ]),
    ]),
  ]),

  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
