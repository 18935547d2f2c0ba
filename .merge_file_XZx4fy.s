# The specification, line by line

Every statement of the shop's specification, where it is built, and the test that shows it. `tests/specification.test.ts`
reads these tables: it fails where a row has no test, or names a file or a title that is not there; where a text in
backticks, which a person reads letter by letter, does not stand so in a file that it is built in; and where a number
is missing or double. **Ruling** names the ruling on how the specification is read, where one applies: where the two
disagree, the ruling stands. Statements of what the specification does not tell ('not shown') have no row; the
rulings fill them in, in section 10.

What axe finds on each screen and in each open dialog, at 360 and 1280 pixels: nothing. That is shown by
`tests/browser/accessibility.spec.ts` and, for the admin's products and users, `tests/browser/admin-looks.spec.ts`.

## 1. What the product does and for whom

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 1.1
 | The navbar shows a short brand name of two words: `Torque Yard`
 | 
 | contract/shop.ts
<br>web/layouts/navbar.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target |
| 1.2
 | Visitors who are signed out browse the home page, the product list and the reviews
 | 
 | web/router/routes.ts
 | tests/browser/public.spec.ts: home and products are complete
<br>tests/browser/specification-texts.spec.ts: reviews has the heading and a card for each review, 3 in a row |
| 1.3
 | Customers (signed in, no role) order a product, and view, pay for and cancel their own orders
 | 
 | web/features/orders/purchase-form.tsx
<br>web/features/orders/order-list.tsx
<br>web/features/payments/payment.tsx
 | tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order
<br>tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back |
| 1.4
 | Customers edit their profile
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 1.5
 | Customers leave a review
 | 
 | web/pages/add-review.tsx
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 1.6
 | Admins manage users: they make admins
 | 
 | web/pages/manage-users.tsx
 | tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 1.7
 | Admins manage orders: they mark them as shipped and cancel them
 | 
 | web/pages/manage-orders.tsx
 | tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones
<br>tests/browser/specification-orders.spec.ts: an admin cancels an unpaid order after the same question |
| 1.8
 | Admins manage products: they add, restock and delete them
 | 
 | web/pages/manage-products.tsx
<br>web/pages/add-product.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one
<br>tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table
<br>tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 1.9
 | An external identity provider handles the sign-in, with e-mail and password
 | 5
 | web/features/identity/provider.ts
<br>server/modules/identity/id-token.ts
 | tests/browser/identity-provider.spec.ts: an account is created, named and identified by its ID token, until it signs out
<br>server/modules/identity/id-token.test.ts: accepts a token of a trusted provider and lower-cases the email |
| 1.10
 | It supports the sign-in in a popup of Google as well
 | 
 | web/features/identity/google-button.tsx
 | tests/browser/session.spec.ts: the Google popup signs in and returns to the requested page
<br>server/modules/identity/takeover.test.ts: signs in with a verified email, and as the same user the next time |
| 1.11
 | An external provider takes the card, in a form component of its own that is embedded
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/stripe.spec.ts: with keys, the same bundle loads Stripe's own script and takes a card |

## 2. Screens and routes

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 2.1
 | A navigation bar and a footer on every page
 | 
 | web/layouts/navbar.tsx
<br>web/layouts/footer.tsx
<br>web/app.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target |
| 2.2
 | A place for toasts is mounted once for all pages
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |
| 2.3
 | While data loads, a spinner in the middle of a screen-high area
 | 
 | web/ui/spinner.tsx
 | tests/browser/specification-failures.spec.ts: a slow page shows a spinner, and an error after 120 seconds
<br>tests/browser/specification-failures.spec.ts: a slow list shows a spinner
<br>tests/browser/specification-failures.spec.ts: a failed read is retried 3 times, then shows an error, and Try again loads it |
| 2.4
 | / is Home, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.5
 | /login is Login, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/login.tsx
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters |
| 2.6
 | /signup is Sign Up, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything |
| 2.7
 | /products is the product grid, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/products.tsx
 | tests/browser/specification-texts.spec.ts: products shows every product once, in pages, 4 in a row |
| 2.8
 | /reviews is Reviews, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/reviews.tsx
 | tests/browser/specification-texts.spec.ts: reviews has the heading and a card for each review, 3 in a row |
| 2.9
 | /contact-us is Contact Us, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/contact-us.tsx
 | tests/browser/specification-texts.spec.ts: contact us has a map, filler text, and a Feedback card with Email, Message and Submit |
| 2.10
 | /blogs is Blogs, for everybody
 | 
 | web/router/routes.ts
<br>web/pages/blogs.tsx
 | tests/browser/specification-texts.spec.ts: blogs has three posts with CATEGORY, a date and Learn More, which is not a link |
| 2.11
 | /purchase/{id} is Purchase, for who is signed in
 | 
 | web/router/routes.ts
<br>web/pages/purchase.tsx
<br>web/layouts/signed-in.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form
<br>tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page |
| 2.12
 | /dashboard is the dashboard with its nested pages, for who is signed in
 | 
 | web/router/routes.ts
<br>web/layouts/dashboard.tsx
<br>web/layouts/signed-in.tsx
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin
<br>tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page |
| 2.13
 | Any other path is the 404 page, with that status
 | 
 | web/router/routes.ts
<br>web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 2.14
 | The dashboard opens with My Profile
 | 
 | web/router/routes.ts
<br>web/pages/my-profile.tsx
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin |
| 2.15
 | Nested for who is signed in: my-orders, add-review
 | 
 | web/router/routes.ts
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin
<br>tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page |
| 2.16
 | Nested for who is signed in: payment/{id}
 | 
 | web/router/routes.ts
<br>web/pages/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id
<br>tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page |
| 2.17
 | Nested for admins, behind the admin guard: manage-orders, manage-users, manage-products, add-product
 | 
 | web/router/routes.ts
<br>web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: the side menu has the admin's pages, and none of a customer's
<br>tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 2.18
 | Nested for admins, behind the admin guard: update-product/{id}
 | 
 | web/router/routes.ts
<br>web/pages/update-product.tsx
 | tests/browser/admin-restock.spec.ts: Update on a product card opens the same details on a page of their own
<br>tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 2.19
 | Home: a hero banner titled motorcycle parts
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.20
 | Home: the hero has a `Read More` button
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.21
 | Home: the first 4 products
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.22
 | Home: `Browse All` leads to /products, for a signed-in person who is no admin, and for nobody else
 | 
 | web/pages/home.tsx
 | tests/browser/public.spec.ts: only customers have Browse All, and admins have Update in place of Buy Now |
| 2.23
 | Home: the first 3 reviews
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.24
 | Home: `See All` leads to /reviews
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.25
 | Home: a strip of fixed figures: `Visitors`, `New Users`, `Total Products`, `Successful Orders`
 | 20
 | web/texts.ts
<br>web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 2.26
 | Products: a grid of all products
 | 24
 | web/pages/products.tsx
 | tests/browser/specification-texts.spec.ts: products shows every product once, in pages, 4 in a row |
| 2.27
 | Products: 4 a row on wide screens
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: products shows every product once, in pages, 4 in a row |
| 2.28
 | A product card shows the picture and the name
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price |
| 2.29
 | A product card shows the category, or `CATEGORY` where there is none
 | 
 | web/texts.ts
<br>web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price
<br>tests/browser/specification-texts.spec.ts: for an admin a product card without a category has CATEGORY, and Update |
| 2.30
 | A product card shows the minimum order
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price |
| 2.31
 | A product card shows the price in dollars
 | 
 | web/features/catalog/product-grid.tsx
<br>contract/money.ts
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price |
| 2.32
 | On a card admins have `Update`, which leads to dashboard/update-product/{id}
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price
<br>tests/browser/public.spec.ts: only customers have Browse All, and admins have Update in place of Buy Now
<br>tests/browser/specification-texts.spec.ts: for an admin a product card without a category has CATEGORY, and Update |
| 2.33
 | On a card everybody else has `Buy Now`, which leads to /purchase/{id}
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price
<br>tests/browser/public.spec.ts: home and products are complete |
| 2.34
 | Login: a form of e-mail and password
 | 
 | web/pages/login.tsx
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters |
| 2.35
 | Login: `Sign in using Google`
 | 
 | web/features/identity/google-button.tsx
 | tests/browser/session.spec.ts: the Google popup signs in and returns to the requested page |
| 2.36
 | Login: a link to /signup
 | 
 | web/pages/login.tsx
 | tests/browser/specification-roles.spec.ts: the account menu has a blank avatar and Login, and Login and Sign Up link to each other |
| 2.37
 | Login: after success one returns to the page that one came from, otherwise to /
 | 
 | web/features/identity/session.ts
<br>web/pages/login.tsx
 | tests/browser/specification-roles.spec.ts: after login or sign-up the shop returns to the requested page, else to the home page
<br>tests/browser/session.spec.ts: the Google popup signs in and returns to the requested page |
| 2.38
 | Sign Up: fields name, e-mail, password and confirm password
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>tests/browser/specification-forms.spec.ts: sign-up requires all fields
<br>tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up with the email of an account changes nothing |
| 2.39
 | Sign Up: a link to /login
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-roles.spec.ts: the account menu has a blank avatar and Login, and Login and Sign Up link to each other |
| 2.40
 | Sign Up: the same return as Login
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-roles.spec.ts: after login or sign-up the shop returns to the requested page, else to the home page
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 2.41
 | Purchase: picture and name of the product
 | 
 | web/pages/purchase.tsx
<br>web/features/catalog/product-overview.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.42
 | Purchase: the label `4 Reviews`
 | 20
 | web/texts.ts
<br>web/features/catalog/product-overview.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.43
 | Purchase: minimum order and stock in `pcs`
 | 
 | web/features/catalog/product-overview.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.44
 | Purchase: the price
 | 
 | web/features/catalog/product-overview.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.45
 | Purchase: the description
 | 
 | web/pages/purchase.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.46
 | Order form: quantity
 | 
 | web/features/orders/purchase-fields.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |
| 2.47
 | Order form: size, `SM`, `M`, `L`, `XL`
 | 
 | contract/choice.ts
<br>web/features/orders/purchase-fields.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.48
 | Order form: colour swatches
 | 
 | web/features/orders/purchase-fields.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.49
 | Order form: shipping name, phone and address
 | 
 | web/features/orders/purchase-form.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form |
| 2.50
 | Order form: a `Place Order` button
 | 
 | web/features/orders/purchase-form.tsx
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |
| 2.51
 | After the order one is at /dashboard/my-orders
 | 
 | web/pages/purchase.tsx
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 2.52
 | Side menu, all roles: `My Profile`
 | 
 | web/layouts/dashboard.tsx
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin
<br>tests/browser/specification-roles.spec.ts: the side menu has the admin's pages, and none of a customer's |
| 2.53
 | Side menu, customers: `My Orders`, `Add a Review`
 | 
 | web/layouts/dashboard.tsx
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin |
| 2.54
 | Side menu, admins: `Manage Users`, `Manage Orders`, `Manage Products`, `Add Product`
 | 
 | web/layouts/dashboard.tsx
 | tests/browser/specification-roles.spec.ts: the side menu has the admin's pages, and none of a customer's |
| 2.55
 | Side menu: an admin is not shown a customer's items
 | 
 | web/layouts/dashboard.tsx
 | tests/browser/specification-roles.spec.ts: the side menu has the admin's pages, and none of a customer's |
| 2.56
 | Navbar: `Dashboard`, `Reviews`, `Blogs`, `Contact Us`
 | 
 | web/layouts/navbar.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target
<br>tests/browser/specification-texts.spec.ts: the navbar links to its pages |
| 2.57
 | Navbar: the brand links to /
 | 
 | web/layouts/navbar.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target
<br>tests/browser/specification-texts.spec.ts: the navbar links to its pages |
| 2.58
 | Avatar menu: a blank avatar stands in for a missing photo
 | 
 | web/features/identity/account-menu.tsx
 | tests/browser/specification-roles.spec.ts: the account menu has a blank avatar and Login, and Login and Sign Up link to each other
<br>tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 2.59
 | Avatar menu, signed in: the e-mail and `Logout`
 | 
 | web/features/identity/account-menu.tsx
 | tests/browser/specification-roles.spec.ts: a customer has a side menu, an account menu with email and Logout, and no page of an admin |
| 2.60
 | Avatar menu, else: `Login`
 | 
 | web/features/identity/account-menu.tsx
 | tests/browser/specification-roles.spec.ts: the account menu has a blank avatar and Login, and Login and Sign Up link to each other |
| 2.61
 | Footer: columns `Services`, `Company`, `Legal`, whose links do nothing
 | 20
 | web/texts.ts
<br>web/layouts/footer.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target |
| 2.62
 | Footer: a line about the company
 | 
 | web/texts.ts
<br>web/layouts/footer.tsx
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target |
| 2.63
 | 404 page: `Error 404`
 | 
 | web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 2.64
 | 404 page: the heading `Oops! Page is broken...`
 | 
 | web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 2.65
 | 404 page: a text about a wrong address
 | 
 | web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 2.66
 | 404 page: a button `Back to homepage`
 | 
 | web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 2.67
 | The signed-in guard sends who is signed out to /login, and remembers where they came from
 | 
 | web/layouts/signed-in.tsx
 | tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page
<br>tests/browser/specification-roles.spec.ts: after login or sign-up the shop returns to the requested page, else to the home page |
| 2.68
 | The admin guard warns `Admin Access Required`
 | 
 | web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 2.69
 | The admin guard signs out who is no admin, and leads to /login
 | 9
 | web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 2.70
 | My Profile: shows name, e-mail, birthday, phone, sex, bio and photo
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 2.71
 | My Profile: `Edit Profile` opens a form
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 2.72
 | The form has full name, date of birth, contact, bio and a profile picture link
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 2.73
 | The form has sex: `Male`, `Female`, `Common`
 | 
 | contract/customers.ts
<br>web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 2.74
 | A blank field keeps its old value
 | 5
 | server/modules/customers/service.ts
<br>web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value
<br>server/modules/customers/customers.test.ts: saves the fields; a blank one keeps the old value |
| 2.75
 | Order tables: columns `Name`, `Quantity`, `Total`, `Payment`
 | 
 | web/features/orders/order-list.tsx
 | tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 2.76
 | Order tables: the shipment is `Shipment` to a customer, `Status` to an admin
 | 
 | web/pages/my-orders.tsx
<br>web/pages/manage-orders.tsx
 | tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 2.77
 | Order tables: the column `Action`
 | 
 | web/features/orders/order-list.tsx
 | tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 2.78
 | Details of an order: the order number, which is the first 6 characters of the id
 | 
 | web/features/orders/order-labels.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 2.79
 | Details of an order: product and order date
 | 
 | web/features/orders/order-details.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 2.80
 | Details of an order: payment status and shipment status
 | 
 | web/features/orders/order-details.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 2.81
 | Details of an order: unit price, quantity and total
 | 
 | web/features/orders/order-details.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: its details list the lines, on a phone as cards |
| 2.82
 | Details of an order: customer name, phone and shipping address
 | 
 | web/features/orders/order-details.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: an admin sees which orders are from guests, with the parts of the address and the note |
| 2.83
 | Cancelling asks: `You are about to cancel your order`
 | 
 | web/texts.ts
<br>web/features/orders/order-list.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back
<br>tests/browser/specification-orders.spec.ts: an admin cancels an unpaid order after the same question
<br>tests/browser/specification-orders.spec.ts: the customer adds the guest orders to My Orders, finds their lines on the payment page, and cancels them |
| 2.84
 | Cancelling asks: `Are you sure?`, with buttons `No` and `Yes`
 | 
 | web/ui/dialog.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back
<br>tests/browser/specification-orders.spec.ts: an admin cancels an unpaid order after the same question |
| 2.85
 | Customers have a `Pay` button that leads to dashboard/payment/{orderId}
 | 
 | web/pages/my-orders.tsx
 | tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 2.86
 | Admins have a `Delivered` button
 | 
 | web/pages/manage-orders.tsx
 | tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 2.87
 | Manage Users: columns `Name`, `Email`, `Phone`, `Birthday`, `Action`
 | 
 | web/pages/manage-users.tsx
 | tests/browser/admin-users.spec.ts: the user table has name, email, phone, birthday and the actions |
| 2.88
 | Manage Users: the action is `Make Admin`
 | 
 | web/pages/manage-users.tsx
 | tests/browser/admin-users.spec.ts: the user table has name, email, phone, birthday and the actions
<br>tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 2.89
 | Manage Users: for an admin it says `Already an Admin`
 | 
 | web/pages/manage-users.tsx
 | tests/browser/admin-users.spec.ts: the user table has name, email, phone, birthday and the actions |
| 2.90
 | Add Product: name, price, quantity, minimum, description and image
 | 
 | web/features/catalog/product-form.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one
<br>tests/browser/admin-add-product.spec.ts: all fields but category and supplier are required, and each limit is checked on both sides |
| 2.91
 | Add Product: category, from a list, which may be left out
 | 
 | web/features/catalog/product-form.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one
<br>tests/browser/admin-add-product.spec.ts: all fields but category and supplier are required, and each limit is checked on both sides |
| 2.92
 | Add a Review: designation and review text
 | 
 | web/pages/add-review.tsx
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 2.93
 | Add a Review: name, photo and e-mail come from who is signed in
 | 21
 | server/modules/reviews/routes.ts
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted
<br>server/modules/reviews/reviews.test.ts: uses name, photo and email of the session instead of those in the body |
| 2.94
 | The table `Manage Products`: columns `Name`, `Price`, `Stock`, `Min. Order`, `Origin`
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: the product table has name, price, stock, minimum order, origin and the actions |
| 2.95
 | Origin is the category
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: the product table has name, price, stock, minimum order, origin and the actions |
| 2.96
 | Each row has `Details` and `Delete`, under `Action`; each opens a modal for that product
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: the product table has name, price, stock, minimum order, origin and the actions
<br>tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form
<br>tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 2.97
 | Product details: picture, supplier and name
 | 
 | web/features/catalog/product-detail.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 2.98
 | Product details: `4 Reviews`, with five stars
 | 20
 | web/texts.ts
<br>web/features/catalog/product-detail.tsx
<br>web/ui/icons.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 2.99
 | Product details: social icons
 | 
 | web/features/catalog/product-detail.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 2.100
 | Product details: price with a `$`, stock and description
 | 
 | web/features/catalog/product-detail.tsx
<br>contract/money.ts
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 2.101
 | Product details: the form `Restock Item`, one required number with the placeholder `Quantity`, and the button `Restock`
 | 
 | web/features/catalog/product-detail.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form
<br>tests/browser/admin-restock.spec.ts: a quantity is required, whole and within the limit |
| 2.102
 | The Delete modal is confirmed by `Yes`, in the words of a cancelled order
 | 
 | web/ui/dialog.tsx
<br>web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 2.103
 | While the list of products loads there is an indicator
 | 
 | web/list-view.tsx
<br>web/pages/manage-products.tsx
 | tests/browser/specification-failures.spec.ts: a slow list shows a spinner |
| 2.104
 | Update page: the same details and Restock form, of the one product that the address names
 | 
 | web/pages/update-product.tsx
 | tests/browser/admin-restock.spec.ts: Update on a product card opens the same details on a page of their own |
| 2.105
 | Contact Us: a map is embedded
 | 
 | web/pages/contact-us.tsx
 | tests/browser/contact.spec.ts: the map of OpenStreetMap covers the drawing, in a sandboxed frame
<br>tests/browser/contact.spec.ts: the drawing stays, without a layout shift, when OpenStreetMap is unreachable |
| 2.106
 | Contact Us: a card `Feedback` with `Email`, `Message` and `Submit`
 | 
 | web/pages/contact-us.tsx
 | tests/browser/specification-texts.spec.ts: contact us has a map, filler text, and a Feedback card with Email, Message and Submit |
| 2.107
 | Contact Us: Submit does nothing
 | 22
 | web/pages/contact-us.tsx
 | tests/browser/contact.spec.ts: Submit sends nothing and keeps page and input |
| 2.108
 | Contact Us: filler text
 | 
 | web/texts.ts
<br>web/pages/contact-us.tsx
 | tests/browser/specification-texts.spec.ts: contact us has a map, filler text, and a Feedback card with Email, Message and Submit |
| 2.109
 | Blogs: three posts, each with `CATEGORY`, a date and `Learn More`
 | 
 | web/texts.ts
<br>web/pages/blogs.tsx
 | tests/browser/specification-texts.spec.ts: blogs has three posts with CATEGORY, a date and Learn More, which is not a link |
| 2.110
 | Blogs: the posts are a fixed list, and no data of the shop
 | 
 | web/texts.ts
<br>web/pages/blogs.tsx
 | tests/browser/specification-empty.spec.ts: an empty shop shows on every page what will be there |
| 2.111
 | Reviews: the heading `Reviews`, and three columns of cards, one for each review
 | 
 | web/pages/reviews.tsx
<br>web/features/reviews/review-grid.tsx
 | tests/browser/specification-texts.spec.ts: reviews has the heading and a card for each review, 3 in a row |
| 2.112
 | Reviews: an indicator while they load
 | 
 | web/layouts/navigation-spinner.tsx
 | tests/browser/specification-failures.spec.ts: a slow page shows a spinner, and an error after 120 seconds |
| 2.113
 | Payment: the heading `Payment for Order #` with the first 6 characters of the id
 | 
 | web/pages/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 2.114
 | Payment: `Total Amount` in dollars
 | 
 | web/features/orders/order-summary.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 2.115
 | Payment: a card field and a `Pay` button
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 2.116
 | Payment: an error stands below, in red
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: a decline is shown in red with the provider's text, and the order stays unpaid |
| 2.117
 | Payment: after success `Payment Successful..!`
 | 20
 | web/features/payments/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 2.118
 | Payment: after success `Trx. Id` and the id of the transaction
 | 
 | web/features/payments/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |

## 3. Entities and their fields

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 3.1
 | Product: `_id`, `name`, `image` (a link), `description`
 | 
 | contract/catalog.ts
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification |
| 3.2
 | Product: `category`, `Local` or `Imported`
 | 
 | contract/catalog.ts
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification
<br>server/modules/catalog/catalog.test.ts: rejects category "Mars" |
| 3.3
 | Product: `minimum`, the smallest order; `quantity`, the stock
 | 
 | contract/catalog.ts
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification |
| 3.4
 | Product: `price`, whole dollars
 | 10
 | contract/catalog.ts
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification
<br>server/modules/catalog/catalog.test.ts: rejects price 9.5 |
| 3.5
 | Product: `supplier`, shown in the admin details
 | 
 | contract/catalog.ts
<br>web/features/catalog/product-detail.tsx
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification
<br>tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 3.6
 | User: `_id`, `name`, `email`, `phone`, `birthday`, `bio`, `photo`
 | 
 | contract/customers.ts
 | server/modules/customers/sign-in.test.ts: exchanges the ID token for an access token that works
<br>server/modules/customers/customers.test.ts: saves the fields; a blank one keeps the old value |
| 3.7
 | User: `sex`, `Male`, `Female` or `Common`
 | 
 | contract/customers.ts
 | server/modules/customers/customers.test.ts: saves the fields; a blank one keeps the old value
<br>server/modules/customers/customers.test.ts: rejects sex "Robot" |
| 3.8
 | User: `role` is absent for customers, `admin` for admins
 | 
 | contract/customers.ts
 | server/modules/customers/customers.test.ts: GET /user > is for the user and for admins
<br>server/modules/customers/customers.test.ts: rejects the combination {"role":"customer"} and changes nothing |
| 3.9
 | Order: `_id`, `productId`, `productName`, `quantity`
 | 
 | contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock |
| 3.10
 | Order: `amount` is quantity times price
 | 10
 | contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock
<br>server/modules/orders/purchase.test.ts: rejects an amount of 79 if the total is 80 |
| 3.11
 | Order: `customerEmail`, `customerName`, `customerPhone`, `customerAddress`
 | 
 | contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock |
| 3.12
 | Order: `payment` is true once it is paid
 | 
 | contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock
<br>server/modules/payments/settlement.test.ts: marks the order paid once the provider has the money |
| 3.13
 | Order: `shipment`, empty while pending, then `Shipped`
 | 
 | contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock
<br>server/modules/payments/settlement.test.ts: a paid order can be shipped once and never be cancelled |
| 3.14
 | Order: `transactionId`, written on payment
 | 
 | contract/orders.ts
 | server/modules/payments/settlement.test.ts: marks the order paid once the provider has the money
<br>tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 3.15
 | Order: `date` may be missing; then a fixed sample date is shown
 | 17
 | contract/orders.ts
<br>web/texts.ts
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 3.16
 | Review: `_id`, `name`, `email`, `designation`, `review`
 | 
 | contract/reviews.ts
 | server/modules/reviews/reviews.test.ts: uses name, photo and email of the session instead of those in the body |
| 3.17
 | Review: `photo`, with a picture that stands in for a missing one
 | 
 | contract/reviews.ts
<br>web/features/reviews/review-grid.tsx
 | tests/browser/specification-texts.spec.ts: reviews has the heading and a card for each review, 3 in a row |
| 3.18
 | The identity provider knows e-mail, display name and photo of an account
 | 
 | server/modules/identity/id-token.ts
 | server/modules/identity/session.test.ts: returns an ID token that the shop accepts
<br>server/modules/identity/id-token.test.ts: drops a picture that is not an http(s) URL |
| 3.19
 | The answer to a payment intent has `client_secret`
 | 
 | contract/payments.ts
 | server/modules/payments/settlement.test.ts: opens one intent for an order and returns it to every tab |
| 3.20
 | The browser keeps the shop access token under `accessToken`
 | 
 | web/access-token.ts
 | tests/browser/specification-forms.spec.ts: sign-up creates the account, names it, and exchanges it for the token that is stored as accessToken
<br>server/modules/customers/sign-in.test.ts: exchanges the ID token for an access token that works |

## 4. States and transitions

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 4.1
 | The payment of an order is `Pending`, then `Paid`
 | 
 | web/features/orders/order-labels.tsx
<br>contract/order-status.ts
 | tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 4.2
 | The shipment is pending, then `Shipped`
 | 
 | contract/orders.ts
<br>web/features/orders/order-labels.tsx
 | tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 4.3
 | Only an admin ships
 | 
 | server/modules/orders/service.ts
 | server/modules/orders/orders.test.ts: PATCH /update-shipping > is for admins
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 4.4
 | Only a paid order that is not yet shipped can be shipped
 | 16
 | contract/order-status.ts
 | server/modules/orders/orders.test.ts: rejects an unpaid order, an unknown order and an unknown status
<br>server/modules/payments/settlement.test.ts: a paid order can be shipped once and never be cancelled
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 4.5
 | The Delivered button sends `Shipped`
 | 
 | web/features/orders/queries.ts
 | tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 4.6
 | A purchase creates the order, and the stock falls by its quantity
 | 11
 | server/modules/orders/service.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock |
| 4.7
 | An order can be cancelled only while it is unpaid
 | 13
 | contract/order-status.ts
 | server/modules/payments/settlement.test.ts: a paid order can be shipped once and never be cancelled
<br>tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state |
| 4.8
 | Cancelling deletes the order and gives its quantity back to the stock
 | 13
 | server/modules/payments/cancellation.ts
 | server/modules/orders/orders.test.ts: returns the stock once and removes the order
<br>tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back |
| 4.9
 | The Pay button waits for the payment provider and for the client secret
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 4.10
 | On Pay the card is handed to the provider and confirmed there
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order
<br>tests/browser/payment.spec.ts: 3-D Secure opens, can fail, and can succeed |
| 4.11
 | On an error of the provider its message is shown, the work ends, and no order is updated
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: a decline is shown in red with the provider's text, and the order stays unpaid
<br>tests/browser/payment.spec.ts: a payment that could not be started can be tried again |
| 4.12
 | On success the message and the transaction id are shown, the id is sent to the server, and the work ends
 | 15
 | web/features/payments/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id
<br>server/modules/payments/settlement.test.ts: marks the order paid once the provider has the money |
| 4.13
 | Restock: the stock is the present one plus what was entered
 | 12
 | server/modules/catalog/service.ts
<br>web/features/catalog/queries.ts
 | tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table
<br>server/modules/catalog/stock.test.ts: adds a delta to the current stock and ignores the quantity of the form |
| 4.14
 | Restock: then the form is empty, and list or details are read again
 | 
 | web/features/catalog/product-detail.tsx
<br>web/features/catalog/queries.ts
 | tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table
<br>tests/browser/admin-restock.spec.ts: Update on a product card opens the same details on a page of their own |
| 4.15
 | Details and Delete on a row choose that product and open the modal
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form
<br>tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 4.16
 | The profile form is hidden, shown on Edit Profile, and hidden again after an update
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 4.17
 | Sign-up: the account is made, then the display name is set, then a token is fetched
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up creates the account, names it, and exchanges it for the token that is stored as accessToken |
| 4.18
 | Sign-up: then a message says so, and one goes to where one came from
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-roles.spec.ts: after login or sign-up the shop returns to the requested page, else to the home page
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 4.19
 | Logout clears the session and the access token that was kept
 | 
 | web/features/identity/session-actions.ts
 | tests/browser/session.spec.ts: Logout ends the session in every tab, and voids the token
<br>tests/browser/session.spec.ts: a customer who leaves the page right after Logout is signed out |
| 4.20
 | The product list is loading, then loaded, and can be read again
 | 
 | web/pages/products.tsx
<br>web/features/catalog/queries.ts
 | tests/browser/specification-failures.spec.ts: a failed public page is retried 3 times, then shows an error, and Try again loads it
<br>tests/browser/admin-failures.spec.ts: a list or product of an admin that fails to load shows an error, and Try again loads it |

## 5. Validation rules

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 5.1
 | E-mail (login and sign-up): `Email is required`
 | 
 | contract/fields.ts
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters
<br>tests/browser/specification-forms.spec.ts: sign-up requires all fields
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up with the email of an account changes nothing |
| 5.2
 | E-mail (login and sign-up): `Email not valid` unless it looks like one
 | 
 | contract/fields.ts
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything |
| 5.3
 | Password: `Password is required`
 | 
 | contract/customers.ts
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything |
| 5.4
 | Password: `Minimum 6 characters required`
 | 
 | contract/customers.ts
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>server/modules/identity/passwords.test.ts: accepts passwords of 6 and of 128 characters |
| 5.5
 | Name at sign-up: `Name is required`
 | 
 | contract/customers.ts
 | tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>tests/browser/specification-forms.spec.ts: sign-up requires all fields
<br>tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up with the email of an account changes nothing |
| 5.6
 | Confirm password: `Confirm Password is required`, and at least 6 characters
 | 
 | contract/customers.ts
 | tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything |
| 5.7
 | The sign-up form checks at each change
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything |
| 5.8
 | Passwords that differ: an alert says `Password did't matched`, and nothing is created
 | 19, 20
 | web/features/identity/auth-form.tsx
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure |
| 5.9
 | Purchase quantity: a number, at least the minimum, at most the stock
 | 11
 | web/features/orders/place-order.ts
<br>server/modules/orders/service.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>web/features/orders/place-order.test.ts: a quantity of 2, between minimum and stock, is valid
<br>server/modules/orders/purchase.test.ts: accepts exactly the minimum and exactly the whole stock |
| 5.10
 | Otherwise an alert says `Quantity not matched`
 | 19
 | web/features/orders/place-order.ts
<br>contract/errors.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>web/features/orders/place-order.test.ts: a quantity of 6 is rejected: Quantity not matched |
| 5.11
 | Purchase: `Address is required`
 | 
 | contract/orders.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>server/modules/orders/purchase.test.ts: requires an address |
| 5.12
 | Purchase: name and phone may be left out; then they are those of the profile
 | 11
 | server/modules/orders/service.ts
<br>web/features/orders/place-order.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>server/modules/orders/purchase.test.ts: uses name and phone of the profile if they are blank |
| 5.13
 | Purchase: the chosen size and colour are not sent with the purchase
 | 11
 | web/features/orders/place-order.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>web/features/orders/place-order.test.ts: the amount is quantity times price; size and colour are not sent with it |
| 5.14
 | Add Product: name, price, quantity, minimum, description and image are required
 | 
 | contract/catalog.ts
 | tests/browser/admin-add-product.spec.ts: all fields but category and supplier are required, and each limit is checked on both sides
<br>server/modules/catalog/catalog.test.ts: requires name |
| 5.15
 | Add Product: the category may be left out
 | 
 | contract/catalog.ts
 | tests/browser/admin-add-product.spec.ts: all fields but category and supplier are required, and each limit is checked on both sides
<br>server/modules/catalog/catalog.test.ts: accepts a product without a category |
| 5.16
 | Add Product: price, quantity and minimum are sent as integers
 | 
 | web/features/catalog/product-form.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one |
| 5.17
 | Profile: nothing is required, and what is empty keeps its value
 | 5
 | contract/customers.ts
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value
<br>server/modules/customers/customers.test.ts: saves the fields; a blank one keeps the old value |
| 5.18
 | Review: no rules for designation and review, but for a technical limit of 10,000 characters
 | 
 | contract/reviews.ts
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted
<br>server/modules/reviews/reviews.test.ts: limits only the length of designation and review, with a sentence |
| 5.19
 | Restock: a number is required
 | 
 | web/features/catalog/product-detail.tsx
 | tests/browser/admin-restock.spec.ts: a quantity is required, whole and within the limit |
| 5.20
 | Restock: added as an integer, not bounded; zero and negatives are not rejected
 | 12
 | contract/catalog.ts
 | tests/browser/admin-restock.spec.ts: zero changes nothing, a negative number corrects the stock, and no stock falls below 0
<br>server/modules/catalog/stock.test.ts: a delta of zero changes and records nothing |
| 5.21
 | Payment: not tried where the card field or the provider is missing
 | 
 | web/features/payments/payment.tsx
<br>web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: a failure to load the provider's script is logged and shown, and the order cannot be paid
<br>tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 5.22
 | Contact Us: no rules
 | 22
 | web/pages/contact-us.tsx
 | tests/browser/contact.spec.ts: Submit sends nothing and keeps page and input |

## 6. Roles and permissions

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 6.1
 | A visitor browses home, products, reviews, contact and blogs
 | 
 | web/router/routes.ts
 | tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target
<br>tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 6.2
 | A visitor at a purchase or dashboard page is sent to /login
 | 
 | web/layouts/signed-in.tsx
 | tests/browser/specification-roles.spec.ts: a visitor at a page for customers or admins is redirected to the login page and never sees the page |
| 6.3
 | A customer has Buy Now and places orders
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 6.4
 | A customer has My Orders: details, payment, cancellation while unpaid
 | 
 | web/pages/my-orders.tsx
 | tests/browser/specification-orders.spec.ts: my orders has its columns, and the actions of an order in each state
<br>tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back |
| 6.5
 | A customer adds a review
 | 
 | web/pages/add-review.tsx
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 6.6
 | A customer edits the own profile, and nobody else does
 | 4
 | server/modules/customers/routes.ts
<br>web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value
<br>server/modules/customers/customers.test.ts: is only for the customer, not even for admins |
| 6.7
 | An admin sees Update where others see Buy Now
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/public.spec.ts: only customers have Browse All, and admins have Update in place of Buy Now
<br>tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price |
| 6.8
 | An admin has Manage Users, with Make Admin
 | 
 | web/pages/manage-users.tsx
 | tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 6.9
 | An admin has Manage Orders: ships what is paid, and cancels
 | 
 | web/pages/manage-orders.tsx
 | tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones
<br>tests/browser/specification-orders.spec.ts: an admin cancels an unpaid order after the same question |
| 6.10
 | An admin has Manage Products: details, restock, delete
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form
<br>tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table
<br>tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 6.11
 | An admin has Add Product
 | 
 | web/pages/add-product.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one |
| 6.12
 | An admin has no Browse All on the home page
 | 
 | web/pages/home.tsx
 | tests/browser/public.spec.ts: only customers have Browse All, and admins have Update in place of Buy Now |
| 6.13
 | Admin pages stand behind the admin guard
 | 
 | web/router/routes.ts
<br>web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 6.14
 | How one is known for an admin: by the role in the database, asked at each call
 | 4
 | server/http/access.ts
 | tests/access.test.ts: listUsers > (admin) by an admin just demoted
<br>tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 6.15
 | The access token is sent as a bearer authorization header
 | 3
 | web/api.ts
 | web/api.test.ts: a call is sent to its path below /api, with the query and the bearer token |
| 6.16
 | The restock call sends credentials, and no call follows a purchase: the server requires the one and does the other
 | 3, 12
 | web/api.ts
<br>web/features/catalog/queries.ts
 | tests/access.test.ts: updateProduct > (admin) by nobody
<br>tests/access.test.ts: updateProduct > (admin) by another customer
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |

## 7. Calls

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 7.1
 | Every call goes to the product's own server, below /api
 | 1
 | web/api.ts
<br>server/http/calls.ts
 | web/api.test.ts: a call is sent to its path below /api, with the query and the bearer token
<br>server/app.test.ts: contains every call of the contract |
| 7.2
 | GET `/products` answers the product list, in the field names of the entity
 | 4, 24
 | contract/routes.ts
<br>server/modules/catalog/routes.ts
 | server/modules/catalog/catalog.test.ts: returns all products to everyone, oldest first |
| 7.3
 | The browser keeps the list under the key `products`
 | 
 | web/features/catalog/queries.ts
 | tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table |
| 7.4
 | GET `/product/{id}` answers one product
 | 4
 | contract/routes.ts
<br>server/modules/catalog/routes.ts
 | server/modules/catalog/catalog.test.ts: returns one product to everyone, with the fields of the specification
<br>server/modules/catalog/catalog.test.ts: GET /product/{id} > is 404 for "none" |
| 7.5
 | GET `/user` by e-mail answers the record of a user
 | 4
 | contract/routes.ts
<br>server/modules/customers/routes.ts
 | server/modules/customers/customers.test.ts: GET /user > is for the user and for admins
<br>tests/access.test.ts: getUser > (self-or-admin) by another customer |
| 7.6
 | PUT `/create-user/{email}` with e-mail and name, after the sign-in; `token` of the answer is kept as accessToken
 | 5
 | contract/routes.ts
<br>contract/customers.ts
<br>server/modules/customers/service.ts
 | server/modules/customers/sign-in.test.ts: exchanges the ID token for an access token that works
<br>tests/browser/specification-forms.spec.ts: sign-up creates the account, names it, and exchanges it for the token that is stored as accessToken |
| 7.7
 | PUT `/create-user/{email}` with name, birthday, phone, sex, bio and photo changes the profile
 | 5
 | contract/routes.ts
<br>server/modules/customers/routes.ts
 | server/modules/customers/customers.test.ts: saves the fields; a blank one keeps the old value
<br>tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value |
| 7.8
 | PUT `/create-user/{email}` with role `admin` makes an admin
 | 5
 | contract/routes.ts
<br>contract/customers.ts
 | server/modules/customers/customers.test.ts: makes an admin, records it, and revokes the user's tokens
<br>tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 7.9
 | GET `/reviews` answers an array of reviews, without credentials
 | 4, 21
 | contract/routes.ts
<br>server/modules/reviews/routes.ts
 | server/modules/reviews/reviews.test.ts: returns the newest first
<br>tests/access.test.ts: listReviews > (public) by nobody |
| 7.10
 | GET `/orders` by e-mail answers one's own orders
 | 4
 | contract/routes.ts
<br>server/modules/orders/routes.ts
 | server/modules/orders/orders.test.ts: returns only the caller's orders, newest first
<br>tests/access.test.ts: listOrders > (self-or-admin) by another customer |
| 7.11
 | GET `/orders` without an e-mail answers all orders to an admin
 | 4, 24
 | contract/routes.ts
<br>server/modules/orders/routes.ts
 | server/modules/orders/orders.test.ts: returns all orders, or one customer's orders, to an admin
<br>server/modules/orders/orders.test.ts: rejects another customer's orders and all orders for a customer |
| 7.12
 | GET `/order` by id answers one order, with amount, name and e-mail of the customer
 | 3, 4
 | contract/routes.ts
<br>server/modules/orders/routes.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock
<br>server/modules/orders/orders.test.ts: is 404 for another customer's order, as for an unknown one |
| 7.13
 | POST `/confirm-purchase` takes productId, productName, quantity, amount and the customer; `acknowledged` true is success
 | 10, 11
 | contract/routes.ts
<br>contract/schemas.ts
<br>contract/orders.ts
 | server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |
| 7.14
 | PUT `/update-product/{id}` with the new stock; its answer is JSON
 | 12
 | contract/routes.ts
<br>server/modules/catalog/routes.ts
 | server/modules/catalog/stock.test.ts: sets a counted stock and records the difference
<br>tests/browser/admin-restock.spec.ts: Restock adds to the stock, clears the form, and shows the new stock in details and table |
| 7.15
 | DELETE `/delete-order` by id cancels
 | 3, 13
 | contract/routes.ts
<br>server/modules/orders/routes.ts
 | server/modules/orders/orders.test.ts: returns the stock once and removes the order
<br>tests/access.test.ts: deleteOrder > (owner-or-admin) by nobody |
| 7.16
 | PATCH `/update-shipping/{id}` with shipping `Shipped`
 | 16
 | contract/routes.ts
<br>contract/orders.ts
 | server/modules/payments/settlement.test.ts: a paid order can be shipped once and never be cancelled
<br>tests/browser/specification-orders.spec.ts: manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones |
| 7.17
 | POST `/add-review` with designation and review; `insertedId` is success
 | 21
 | contract/routes.ts
<br>contract/schemas.ts
 | server/modules/reviews/reviews.test.ts: uses name, photo and email of the session instead of those in the body
<br>tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 7.18
 | GET `/users` answers all users to an admin
 | 24
 | contract/routes.ts
<br>server/modules/customers/routes.ts
 | server/modules/customers/customers.test.ts: GET /users > is for admins
<br>tests/browser/admin-users.spec.ts: the user table has name, email, phone, birthday and the actions |
| 7.19
 | POST `/add-product` with the fields of the form; `insertedId` is success
 | 4
 | contract/routes.ts
<br>contract/schemas.ts
 | server/modules/catalog/catalog.test.ts: adds a product and records its first stock in the ledger
<br>tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one |
| 7.20
 | DELETE `/delete-product` by id; then `Product Deleted` is shown
 | 17
 | contract/routes.ts
<br>web/pages/manage-products.tsx
 | server/modules/catalog/catalog.test.ts: deletes the product once, and orders keep its data
<br>tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 7.21
 | POST `/create-payment-intent` with the amount; `client_secret` of the answer is used
 | 3, 14
 | contract/routes.ts
<br>contract/payments.ts
 | server/modules/payments/settlement.test.ts: charges the order's amount and rejects any other
<br>server/modules/payments/settlement.test.ts: without an order id, finds the newest unpaid order of exactly this amount |
| 7.22
 | PATCH `/order-payment/{id}` with the transactionId; its answer ends the work and no more
 | 15
 | contract/routes.ts
<br>web/features/payments/payment.tsx
 | server/modules/payments/settlement.test.ts: marks the order paid once the provider has the money
<br>tests/browser/payment.spec.ts: after a reload during the payment the order is paid |
| 7.23
 | The identity provider is called for sign-in, sign-up, Google popup, display name and sign-out
 | 
 | web/features/identity/provider.ts
 | tests/browser/specification-forms.spec.ts: sign-up creates the account, names it, and exchanges it for the token that is stored as accessToken
<br>tests/browser/identity-provider.spec.ts: the Google popup signs in with an account that it lists
<br>server/modules/identity/session.test.ts: ends with the sign-out: the cookie is deleted, and a copy of it is rejected |
| 7.24
 | The payment provider's script comes from its own host, with a publishable key
 | 
 | web/features/payments/stripe.ts
 | tests/browser/stripe.spec.ts: with keys, the same bundle loads Stripe's own script and takes a card |

## 8. Error catalogue

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 8.1
 | Login: `No account with this email`
 | 7
 | contract/errors.ts
 | tests/browser/specification-forms.spec.ts: an unknown email, a wrong password and any other failure have their own messages
<br>server/modules/identity/passwords.test.ts: returns an error for an unknown email |
| 8.2
 | Login: `Wrong Password`
 | 7
 | contract/errors.ts
 | tests/browser/specification-forms.spec.ts: an unknown email, a wrong password and any other failure have their own messages
<br>server/modules/identity/passwords.test.ts: returns an error for a wrong password |
| 8.3
 | Login, anything else: `Login failed`
 | 7
 | web/pages/login.tsx
 | tests/browser/specification-forms.spec.ts: an unknown email, a wrong password and any other failure have their own messages
<br>server/modules/identity/passwords.test.ts: returns one error for both cases if MERGE_SIGN_IN_MESSAGES is set |
| 8.4
 | Sign-up: `Email already exist`
 | 
 | contract/errors.ts
 | tests/browser/specification-forms.spec.ts: sign-up requires all fields
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up with the email of an account changes nothing |
| 8.5
 | Sign-up: `Invalid Email`
 | 
 | contract/errors.ts
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure
<br>tests/browser/identity-provider.spec.ts: each error has its code |
| 8.6
 | Sign-up, anything else: `Something goes wrong`
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure |
| 8.7
 | Admin guard: the warning `Admin Access Required`, then sign-out and /login
 | 9
 | web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: a customer at any page of an admin is warned and signed out, and never sees the page |
| 8.8
 | Purchase: the alert `Quantity not matched`
 | 19
 | contract/errors.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 8.9
 | A purchase that is not acknowledged orders nothing and moves on nowhere; that, and why, is said in the form
 | 10
 | web/features/orders/purchase-form.tsx
 | tests/browser/specification-forms.spec.ts: a purchase that is not acknowledged places no order, and offers the new price |
| 8.10
 | Sign-up: the alert `Password did't matched`
 | 19, 20
 | web/features/identity/auth-form.tsx
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure
<br>tests/browser/specification-forms.spec.ts: sign-up requires all fields
<br>tests/browser/specification-forms.spec.ts: sign-up checks each change before it sends anything
<br>tests/browser/specification-forms.spec.ts: sign-up with the email of an account changes nothing |
| 8.11
 | A review that failed: the toast `Failed`
 | 
 | web/pages/add-review.tsx
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 8.12
 | Card payment: the provider's message as it is, in red below the form, and no order is updated
 | 
 | web/features/payments/card-form.tsx
 | tests/browser/payment.spec.ts: a decline is shown in red with the provider's text, and the order stays unpaid
<br>tests/browser/payment.spec.ts: a payment that could not be started can be tried again |
| 8.13
 | The payment script: `Failed to load Stripe.js` is logged
 | 
 | web/features/payments/stripe.ts
 | tests/browser/payment.spec.ts: a failure to load the provider's script is logged and shown, and the order cannot be paid |
| 8.14
 | The payment script: `Stripe.js not available` is logged
 | 
 | web/features/payments/stripe.ts
 | tests/browser/stripe.spec.ts: a response of Stripe's host without the script is logged |
| 8.15
 | Unknown routes: the 404 page
 | 
 | web/errors/error-page.tsx
 | tests/browser/public.spec.ts: an unknown path shows the 404 page with status 404 |
| 8.16
 | Success: `Successfully Logged in`
 | 
 | web/pages/login.tsx
 | tests/browser/specification-roles.spec.ts: after login or sign-up the shop returns to the requested page, else to the home page
<br>tests/browser/session.spec.ts: the Google popup signs in and returns to the requested page |
| 8.17
 | Success: `Account created successfully`
 | 
 | web/pages/sign-up.tsx
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 8.18
 | Success: `Order Placed successfully`
 | 
 | web/pages/purchase.tsx
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>tests/browser/buying.spec.ts: a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order |
| 8.19
 | Success: `Profile Successfully Updated`
 | 
 | web/pages/my-profile.tsx
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value
<br>tests/browser/specification-own-pages.spec.ts: my profile shows an error at a field that is too long or not a URL, and keeps the input after a failure |
| 8.20
 | Success: `Order Canceled Successfully`
 | 
 | web/features/orders/order-list.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/specification-orders.spec.ts: Cancel asks first and gives the stock back
<br>tests/browser/specification-orders.spec.ts: an admin cancels an unpaid order after the same question |
| 8.21
 | Success: `Review Submitted`
 | 
 | web/pages/add-review.tsx
 | tests/browser/specification-own-pages.spec.ts: add a review has no validation, keeps the input after Failed, and clears it after Review Submitted |
| 8.22
 | Success: `Product Uploaded Successfully`
 | 
 | web/pages/add-product.tsx
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one |
| 8.23
 | Success: `Product Deleted`
 | 
 | web/pages/manage-products.tsx
 | tests/browser/admin-products.spec.ts: Delete asks like the cancellation of an order: No keeps the product, Yes deletes it |
| 8.24
 | A read that fails is tried again 3 times, after 1, 2 and 4 s, and never waits more than 30 s
 | 23
 | web/retry.ts
 | web/retry.test.ts: delays double from 1 s to at most 30 s
<br>web/retry.test.ts: a read is retried three times and then fails with its last error
<br>tests/browser/specification-failures.spec.ts: a failed read is retried 3 times, then shows an error, and Try again loads it
<br>tests/browser/specification-failures.spec.ts: a failed public page is retried 3 times, then shows an error, and Try again loads it |
| 8.25
 | A product that cannot be read: the page says so and offers to try again
 | 
 | web/features/catalog/loaded-product.tsx
 | tests/browser/specification-failures.spec.ts: a failed read is retried 3 times, then shows an error, and Try again loads it
<br>tests/browser/admin-restock.spec.ts: the page of a deleted product shows that the product is not in the shop |

## 9. Business constants and limits

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 9.1
 | The shortest password: 6
 | 
 | contract/customers.ts
 | tests/browser/specification-forms.spec.ts: login requires a valid email and a password of at least 6 characters
<br>server/modules/identity/passwords.test.ts: accepts passwords of 6 and of 128 characters |
| 9.2
 | The home page shows 4 products and 3 reviews
 | 
 | web/pages/home.tsx
 | tests/browser/specification-texts.spec.ts: home has the hero, the first 4 products, the first 3 reviews, and the figures |
| 9.3
 | The grid of products has 4 columns
 | 
 | web/features/catalog/product-grid.tsx
 | tests/browser/specification-texts.spec.ts: products shows every product once, in pages, 4 in a row |
| 9.4
 | The grid of reviews has 3 columns
 | 
 | web/features/reviews/review-grid.tsx
 | tests/browser/specification-texts.spec.ts: reviews has the heading and a card for each review, 3 in a row |
| 9.5
 | The order number is the first 6 characters of the id
 | 18
 | web/features/orders/order-labels.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer
<br>tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 9.6
 | Sizes: `SM`, `M`, `L`, `XL`
 | 
 | contract/choice.ts
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form
<br>server/modules/orders/orders.test.ts: rejects unknown sizes and colours |
| 9.7
 | Sexes: `Male`, `Female`, `Common`
 | 
 | contract/customers.ts
 | tests/browser/specification-own-pages.spec.ts: my profile is shown, edited and hidden again, and a blank field keeps the old value
<br>server/modules/customers/customers.test.ts: rejects sex "Robot" |
| 9.8
 | Categories: `Local`, `Imported`
 | 
 | contract/catalog.ts
 | tests/browser/admin-add-product.spec.ts: a product is sent as the call expects it, and the form is cleared for the next one
<br>server/modules/catalog/catalog.test.ts: rejects category "Mars" |
| 9.9
 | Currency: dollars, with a `$` before them
 | 
 | contract/money.ts
 | tests/browser/specification-texts.spec.ts: a product card has picture, category, minimum order, name and price
<br>tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 9.10
 | The amount of an order is quantity times price
 | 10
 | server/modules/orders/service.ts
 | server/modules/orders/purchase.test.ts: rejects an amount of 81 if the total is 80
<br>tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 9.11
 | Payment is by card
 | 
 | server/modules/payments/stripe.ts
 | server/modules/payments/stripe.test.ts: asks for the amount in dollars, by card, for the order |
| 9.12
 | The amount that is sent for a payment is that of the order
 | 14
 | web/features/payments/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 9.13
 | The quantity of a purchase: from the product's minimum to its stock
 | 
 | web/features/orders/place-order.ts
 | tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>server/modules/orders/purchase.test.ts: accepts exactly the minimum and exactly the whole stock |
| 9.14
 | The label on product pages is fixed: `4 Reviews`
 | 20
 | web/texts.ts
 | tests/browser/specification-texts.spec.ts: purchase has the product and the order form
<br>tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 9.15
 | Toasts close by themselves after 5000 ms
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus |
| 9.16
 | Toasts stand at the top right
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus |
| 9.17
 | Toasts are light
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus |
| 9.18
 | Toasts can be dragged away, from 80 percent of their width on
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast that is dragged over 80 percent of its width disappears, and otherwise comes back |
| 9.19
 | Toasts wait while the mouse is over them
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus |
| 9.20
 | Toasts wait while the window has lost the focus
 | 
 | web/ui/toast-host.tsx
 | tests/browser/specification-toasts.spec.ts: a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus |
| 9.21
 | What was read and nobody looks at is dropped after 5 minutes
 | 
 | web/layouts/signed-in.tsx
 | tests/browser/specification-failures.spec.ts: data are shown from the cache for 5 minutes, and read again later |
| 9.22
 | A part of the application that is loaded when it is needed is given up after 120 seconds: the page says so and offers to try again
 | 
 | web/layouts/navigation-spinner.tsx
<br>web/errors/hydration-watchdog.ts
 | tests/browser/specification-failures.spec.ts: a slow page shows a spinner, and an error after 120 seconds
<br>tests/browser/missing-chunks.spec.ts: a chunk that never arrives shows an error after two minutes |
| 9.23
 | The size of a page of the product list is not told: ours has 24
 | 24
 | web/pages/products.tsx
 | tests/browser/specification-texts.spec.ts: products shows every product once, in pages, 4 in a row |

## 10. Rulings that add behaviour

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 10.1
 | Calls of our own stand under /v1, in our own words
 | 1
 | contract/routes.ts
 | tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>server/modules/customers/customers.test.ts: POST /v1/sign-out > revokes all access tokens of the caller immediately |
| 10.2
 | Every error is a status with code and message, and `fields` for validation
 | 2
 | contract/errors.ts
<br>server/platform/errors.ts
 | server/app.test.ts: an unknown path is 404
<br>server/modules/catalog/catalog.test.ts: requires price |
| 10.3
 | An unknown error is 500 without detail, and is logged whole
 | 2
 | server/platform/errors.ts
 | server/app.test.ts: an unexpected error is 500 without details |
| 10.4
 | Bearer null, Bearer undefined and an empty header count as absent; a stale token fails no public read
 | 3
 | server/http/access.ts
 | server/modules/catalog/catalog.test.ts: ignores the invalid credential "Bearer null" |
| 10.5
 | Public: the products, one product, the reviews
 | 4
 | contract/routes.ts
 | tests/access.test.ts: listProducts > (public) by nobody
<br>tests/access.test.ts: getProduct > (public) by nobody
<br>tests/access.test.ts: listReviews > (public) by nobody |
| 10.6
 | Signed in: confirm-purchase, add-review
 | 4
 | contract/routes.ts
 | tests/access.test.ts: confirmPurchase > (signed-in) by nobody
<br>tests/access.test.ts: addReview > (signed-in) by nobody |
| 10.7
 | Self or admin: a user, the orders of a customer
 | 4
 | contract/routes.ts
 | tests/access.test.ts: getUser > (self-or-admin) by another customer
<br>tests/access.test.ts: listOrders > (self-or-admin) by another customer |
| 10.8
 | Self: the profile
 | 4
 | contract/routes.ts
 | tests/access.test.ts: updateProfile > (self) by an admin |
| 10.9
 | Owner or admin: one order, its cancellation
 | 4
 | contract/routes.ts
 | tests/access.test.ts: getOrder > (owner-or-admin) by another customer
<br>tests/access.test.ts: deleteOrder > (owner-or-admin) by another customer |
| 10.10
 | Owner: the payment of an order
 | 4
 | contract/routes.ts
 | tests/access.test.ts: createPaymentIntent > (owner) by an admin
<br>tests/access.test.ts: payOrder > (owner) by an admin |
| 10.11
 | Admin: all orders, users, stock, shipping, products, roles
 | 4
 | contract/routes.ts
 | tests/access.test.ts: listUsers > (admin) by another customer
<br>tests/access.test.ts: updateProduct > (admin) by another customer
<br>tests/access.test.ts: updateShipping > (admin) by another customer
<br>tests/access.test.ts: addProduct > (admin) by another customer
<br>tests/access.test.ts: deleteProduct > (admin) by another customer
<br>tests/access.test.ts: makeAdmin > (admin) by another customer |
| 10.12
 | No credential or an invalid one is 401; a call for admins is 403 to others
 | 4
 | server/http/access.ts
 | tests/access.test.ts: listUsers > (admin) by nobody
<br>tests/access.test.ts: listUsers > (admin) by another customer |
| 10.13
 | Another person's order is 404, as one that does not exist
 | 4
 | server/modules/orders/service.ts
 | server/modules/orders/orders.test.ts: is 404 for another customer's order, as for an unknown one
<br>tests/browser/payment.spec.ts: another customer's order is not found |
| 10.14
 | After the sign-in the server checks the ID token: signature, issuer, audience, expiry, and that its e-mail is the path's
 | 5
 | server/modules/identity/id-token.ts
<br>server/modules/customers/service.ts
 | server/modules/identity/id-token.test.ts: rejects a token expired
<br>server/modules/customers/sign-in.test.ts: rejects another email, a forged token and an access token
<br>server/modules/customers/sign-in.test.ts: is rejected without the ID token |
| 10.15
 | Customers are known by issuer and subject
 | 5
 | server/modules/customers/service.ts
 | server/modules/customers/sign-in.test.ts: keeps its customer after a change of email, and is not linked to another one |
| 10.16
 | A role together with anything else is 403 and changes nothing
 | 5
 | server/modules/customers/routes.ts
 | server/modules/customers/customers.test.ts: rejects the combination {"role":"admin","name":"x"} and changes nothing |
| 10.17
 | The first admin comes from the settings or the command line, and only for a verified e-mail or an embedded account
 | 5
 | server/modules/customers/service.ts
<br>server/commands/make-admin.ts
 | server/modules/customers/sign-in.test.ts: becomes an admin by the settings only with a verified email or from the embedded provider
<br>tests/browser/specification-empty.spec.ts: an admin of an empty shop finds the link to add the first product |
| 10.18
 | The access token lasts 15 minutes
 | 6
 | server/modules/identity/access-token.ts
 | server/modules/identity/access-token.test.ts: is valid for a customer for 15 minutes |
| 10.19
 | The browser renews it once and silently on a 401
 | 6
 | web/api.ts
 | tests/browser/session.spec.ts: an expired access token is renewed once and without a message
<br>web/api.test.ts: calls with an expired token share one renewal and are repeated once |
| 10.20
 | It is void at once after the sign-out and after a change of role
 | 6
 | server/modules/customers/service.ts
 | tests/browser/session.spec.ts: Logout ends the session in every tab, and voids the token
<br>server/modules/customers/customers.test.ts: POST /v1/sign-out > revokes all access tokens of the caller immediately
<br>tests/browser/admin-users.spec.ts: Make Admin asks first; then the new admin gets another token and the menu of an admin |
| 10.21
 | Both messages of the login take the same time, and are throttled by address and by e-mail
 | 7
 | server/modules/identity/auth-routes.ts
<br>server/platform/rate-limiter.ts
 | server/modules/identity/passwords.test.ts: hashes once in both cases, so that they take the same time
<br>server/modules/identity/rate-limits.test.ts: are counted without an account too, so that the limit reveals nothing
<br>server/modules/identity/rate-limits.test.ts: to sign in are limited for all emails and results; another IP is not affected |
| 10.22
 | A setting merges them into `Login failed`
 | 7
 | server/config/config.ts
<br>server/modules/identity/auth-routes.ts
 | server/modules/identity/passwords.test.ts: returns one error for both cases if MERGE_SIGN_IN_MESSAGES is set |
| 10.23
 | Google and password accounts with one e-mail are joined only where both are verified
 | 8
 | server/modules/identity/better-auth.ts
 | server/modules/identity/takeover.test.ts: two verified accounts are linked, and the password stays valid
<br>server/modules/identity/takeover.test.ts: an unverified Google account is not linked to the account of the same email |
| 10.24
 | The admin guard acts on a definite answer only: not while loading, not because a request failed
 | 9
 | web/layouts/admin-only.tsx
 | tests/browser/specification-roles.spec.ts: the guard does not redirect while it waits for the role
<br>tests/browser/specification-roles.spec.ts: the guard does not redirect because the role request failed |
| 10.25
 | Money is whole cents inside and dollars outside
 | 10
 | contract/money.ts
 | server/modules/payments/stripe.test.ts: asks for the amount in dollars, by card, for the order
<br>server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock |
| 10.26
 | Amount, name of the product and e-mail in a purchase are claims: the server has its own
 | 10
 | server/modules/orders/service.ts
 | server/modules/orders/purchase.test.ts: uses the stored email and product name instead of those in the body
<br>server/modules/orders/purchase.test.ts: rejects an amount of 0 if the total is 80 |
| 10.27
 | A price that has changed: `acknowledged` false, `PRICE_CHANGED`, and the present amount
 | 10
 | server/modules/orders/service.ts
<br>contract/orders.ts
<br>contract/errors.ts
 | server/modules/orders/purchase.test.ts: rejects an amount of 80.5 if the total is 80
<br>tests/browser/specification-forms.spec.ts: a purchase that is not acknowledged places no order, and offers the new price |
| 10.28
 | The last piece is never sold twice
 | 11
 | server/modules/catalog/service.ts
 | server/modules/orders/purchase.test.ts: sells ten pieces once in forty concurrent purchases |
| 10.29
 | The same Idempotency-Key answers the same order
 | 11
 | server/modules/orders/service.ts
 | server/modules/orders/purchase.test.ts: places one order for ten concurrent requests with the same key
<br>tests/browser/specification-forms.spec.ts: an order whose response is lost can be sent again, and is placed once |
| 10.30
 | Size and colour are kept by a call of their own, and shown in the details
 | 11
 | web/features/orders/place-order.ts
<br>web/features/orders/order-details.tsx
 | tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show
<br>server/modules/orders/orders.test.ts: saves size and colour for the owner only |
| 10.31
 | A restock adds to the stock as it is at that moment
 | 12
 | server/modules/catalog/repository.ts
 | server/modules/catalog/stock.test.ts: adds ten concurrent restocks
<br>tests/browser/admin-restock.spec.ts: a restock adds to a stock that another admin has changed |
| 10.32
 | A stock below zero is refused: `Stock cannot go below 0`
 | 12
 | contract/errors.ts
 | server/modules/catalog/stock.test.ts: rejects a stock below 0 and changes nothing
<br>tests/browser/admin-restock.spec.ts: zero changes nothing, a negative number corrects the stock, and no stock falls below 0 |
| 10.33
 | Every change of stock leaves a row in the ledger
 | 12
 | db/migrations/20261124000000_baseline.sql
<br>server/modules/catalog/repository.ts
 | server/modules/catalog/stock.test.ts: sets a counted stock and records the difference
<br>server/modules/orders/purchase.test.ts: places an unpaid order with the current date and reduces the stock |
| 10.34
 | Cancelling closes an open payment first; one that succeeded settles the order instead
 | 13
 | server/modules/payments/cancellation.ts
 | server/modules/payments/crossing-payments.test.ts: cancelling closes the payment at the provider, so that it can no longer be paid
<br>server/modules/payments/crossing-payments.test.ts: an order that was paid a moment ago is settled instead of cancelled |
| 10.35
 | A cancelled order leaves every list and answers 404; its history stays; the stock comes back once
 | 13
 | server/modules/payments/cancellation.ts
<br>db/migrations/20261124000000_baseline.sql
 | server/modules/orders/orders.test.ts: returns the stock once for ten concurrent cancellations
<br>server/modules/orders/history.test.ts: lists who cancelled the order, and the refund |
| 10.36
 | One live intent for an order, reused: never more than one charge
 | 14
 | server/modules/payments/service.ts
 | server/modules/payments/settlement.test.ts: opens one intent for an order and returns it to every tab
<br>tests/browser/payment.spec.ts: two tabs pay one order with one payment
<br>tests/browser/payment.spec.ts: a double click charges once |
| 10.37
 | The server asks the provider before an order is paid: succeeded, amount, order, not used before
 | 15
 | server/modules/payments/service.ts
 | server/modules/payments/settlement.test.ts: rejects an unpaid intent, a declined one and an invented one
<br>server/modules/payments/settlement.test.ts: one payment pays one order |
| 10.38
 | Webhook and reconciling job settle through the same function
 | 15
 | server/modules/payments/service.ts
<br>server/modules/payments/jobs.ts
 | server/modules/payments/settlement.test.ts: settles an order whose browser was closed
<br>server/modules/payments/crossing-payments.test.ts: the reconciling job settles a payment that no webhook has reported |
| 10.39
 | Money for an order that is gone goes back, with a record
 | 15
 | server/modules/payments/service.ts
 | server/modules/payments/crossing-payments.test.ts: a payment for a cancelled order is refunded in full, once, with a record |
| 10.40
 | Shipping twice changes nothing
 | 16
 | server/modules/orders/service.ts
 | server/modules/payments/settlement.test.ts: a paid order can be shipped once and never be cancelled |
| 10.41
 | Deleting a product hides it; orders keep name, price and picture; their stock still comes back
 | 17
 | server/modules/catalog/service.ts
 | server/modules/catalog/catalog.test.ts: deletes the product once, and orders keep its data
<br>server/modules/orders/orders.test.ts: returns the stock to a deleted product |
| 10.42
 | Ids of orders are random from their first character
 | 18
 | server/platform/database/database.ts
 | server/platform/database/database.test.ts: ids are random from their first character |
| 10.43
 | What the specification calls an alert is a message in the page with the role alert, and no dialog of the browser
 | 19
 | web/ui/alert.tsx
 | tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/specification-forms.spec.ts: sign-up keeps the input after each failure
<br>tests/browser/specification-forms.spec.ts: purchase requires a quantity from the minimum to the stock and an address
<br>tests/browser/specification-forms.spec.ts: purchase sends the order, then size and colour, which the details of the order show |
| 10.44
 | Fixed texts stay as they are spelt, and are kept in one file
 | 20
 | web/texts.ts
 | tests/specification.test.ts: names existing files for each statement, and they contain its quoted texts |
| 10.45
 | The e-mail of a review is masked, but for its owner and for admins
 | 21
 | server/modules/reviews/service.ts
 | server/modules/reviews/reviews.test.ts: masks the email except for its owner and for admins |
| 10.46
 | Writes are never repeated by themselves; reads are
 | 23
 | web/layouts/signed-in.tsx
 | tests/browser/specification-orders.spec.ts: a cancellation that fails is sent once, and can be sent again
<br>tests/browser/specification-failures.spec.ts: a failed read is retried 3 times, then shows an error, and Try again loads it
<br>tests/browser/specification-forms.spec.ts: an order that fails is sent once, and the input stays |
| 10.47
 | The lists of products, orders and users answer at most 1,000 rows, with X-Total-Count and Link
 | 24
 | server/platform/http/paging.ts
 | server/modules/catalog/catalog.test.ts: returns at most 1,000 products
<br>server/modules/orders/orders.test.ts: returns one page with the total and links to its neighbours |
| 10.48
 | Search, sort, page, pageSize and filters cut a list down
 | 24
 | contract/fields.ts
<br>server/platform/http/paging.ts
 | server/modules/catalog/catalog.test.ts: searches, filters, sorts and pages
<br>server/modules/customers/customers.test.ts: GET /users > searches, filters, sorts and pages
<br>server/modules/orders/orders.test.ts: filters by payment and shipment |
| 10.49
 | Orders come newest first
 | 24
 | server/modules/orders/queries.ts
 | server/modules/orders/orders.test.ts: returns only the caller's orders, newest first |
| 10.50
 | Ruling 31: a message about too many attempts names the real wait
 | 
 | contract/waiting-time.ts
<br>server/platform/rate-limiter.ts
 | tests/browser/specification-forms.spec.ts: after too many attempts the message has the real waiting time |
| 10.51
 | Ruling 32: the first of several errors gets the focus and is scrolled into view; alerts disappear with the correction, success lines with the next error
 | 
 | web/ui/form.ts
<br>web/ui/alert.tsx
 | tests/browser/specification-forms.spec.ts: the first of several errors gets the focus and is in view on a phone
<br>tests/browser/specification-forms.spec.ts: the alert of a failed login disappears when the email is corrected
<br>tests/browser/specification-forms.spec.ts: sign-up with different passwords creates nothing, and the alert disappears with the correction
<br>tests/browser/admin-restock.spec.ts: a success line disappears when the next attempt has an error |
| 10.52
 | Ruling 33: an unpaid order says until when it can be paid, and an email announces that it was cancelled; the demo's own does not expire
 | 
 | server/modules/payments/cancellation.ts
<br>web/features/orders/order-labels.tsx
 | server/modules/payments/jobs.test.ts: an unpaid order that expires is announced: until when it can be paid, then one email |
| 10.53
 | Ruling 34: an admin can remove another admin's role, never their own, so one always remains. ADMIN_EMAILS does not restore a removed role
 | 
 | server/modules/customers/service.ts
<br>web/pages/manage-users.tsx
 | server/modules/customers/customers.test.ts: leaves one admin if two remove each other concurrently
<br>server/modules/customers/customers.test.ts: rejects removing your own role
<br>tests/browser/admin-users.spec.ts: Remove Admin asks first and removes another admin's role |
| 10.54
 | Ruling 35: a review without text is accepted; neither the pages nor GET /reviews list it
 | 
 | server/modules/reviews/repository.ts
 | server/modules/reviews/reviews.test.ts: does not list a review without text |
| 10.55
 | Ruling 28: the payment page has the dashboard's side menu; the Pay button is there from the start and disabled until it can pay
 | 
 | web/features/payments/payment.tsx
 | tests/browser/payment.spec.ts: the payment page has order and amount, and Pay is disabled until script and client secret are loaded
<br>tests/browser/payment.spec.ts: a successful payment is reported to the shop and shows its transaction id |
| 10.56
 | Ruling 29: the avatar menu's Login link returns to the page it was opened on
 | 
 | web/layouts/navbar.tsx
 | tests/browser/specification-roles.spec.ts: the account menu's Login returns to the page it was opened on, even through Sign Up |
| 10.57
 | Ruling 30: order details keep the row of a blank name or phone
 | 
 | web/features/orders/order-details.tsx
 | tests/browser/specification-orders.spec.ts: the details of an order have number, product, date, states, prices and customer |
| 10.58
 | Ruling 36: a link to a page that cannot be loaded stays in the shop, offers to try again and recovers by itself
 | 
 | web/router/reachable.ts
<br>web/errors/error-page.tsx
 | tests/browser/offline.spec.ts: when the server is stopped, every link, back and forward stay in the shop, which recovers automatically
<br>tests/browser/offline.spec.ts: when the server is stopped, the links of a product card and of a product stay in the shop |
| 10.59
 | Ruling 38: a purchase that is not acknowledged says why, and how to go on
 | 
 | web/features/orders/purchase-form.tsx
 | tests/browser/specification-forms.spec.ts: a purchase that is not acknowledged places no order, and offers the new price |
| 10.60
 | Rulings 27 and 40: the details of a product have stars in the admin's view only, and its share links point to the public page
 | 
 | web/features/catalog/product-detail.tsx
 | tests/browser/admin-products.spec.ts: Details shows the product, its reviews label, its share links and the Restock form |
| 10.61
 | Ruling 26: prices have at most two decimals when a product is edited and in product files; the Add Product form and its call stay in whole dollars
 | 
 | contract/catalog.ts
<br>contract/fields.ts
<br>web/features/catalog/product-form.tsx
 | server/modules/catalog/edit-product.test.ts: accepts the price 12.5
<br>server/modules/catalog/catalog.test.ts: rejects price 9.5
<br>server/modules/imports/wrong-files.test.ts: is a price with three decimals, a comma or a currency sign, but not one with cents
<br>server/modules/catalog/files/products/export.test.ts: changes nothing when it is imported again, for any cell content |
| 10.62
 | Ruling 25: a product with variants shows its own sizes and colours, one without options none, and every other product the usual ones
 | 
 | contract/choice.ts
<br>web/features/catalog/choice-links.tsx
<br>web/features/orders/purchase-form.tsx
 | tests/browser/variants.spec.ts: the purchase screen writes the preselected variant to its address, and explains a sold-out one
<br>tests/seo-product.test.ts: standard sizes and colours are links that nothing preselects; a product without options has none
<br>tests/browser/specification-texts.spec.ts: purchase has the product and the order form |

## 11. Does it fit my bike?

These screens and calls are not in the specification: the shop adds them ([decision 49](decisions/0049-fitment.md),
[50](decisions/0050-gear.md), [51](decisions/0051-garage.md), [52](decisions/0052-aces.md), [53](decisions/0053-part-numbers.md)).

| No.
 | Statement
 | Ruling
 | Built in
 | Shown by |
|---|---|---|---|---|
| 11.1
 | A shop without bikes shows nothing about fitment. All others show the current bike below the navbar, also on a phone: `Choose your bike` opens the picker, without scripts the page of all makes
 | 
 | web/features/garage/on-demand.tsx
 | tests/browser/garage.spec.ts: without JavaScript, bike pages lead to the parts for a bike and to all bikes of a part
<br>tests/browser/ordered-fit.spec.ts: typing finds the bike, which the header shows
<br>tests/browser/specification-texts.spec.ts: every page has the navbar and the footer, whose links have no target |
| 11.2
 | The picker: a bike of the garage, typing (`Type your bike`), or make, model, year and version; `I don't know` is a version. A rider whose bike is missing can still order: `Your bike is not listed? You can still order: compare the part number.`
 | 
 | web/features/garage/bike-picker.tsx
<br>server/modules/bikes/service.ts
 | tests/browser/ordered-fit.spec.ts: typing finds the bike, which the header shows
<br>tests/browser/garage.spec.ts: a bike in four steps, whose version the badge asks for
<br>server/modules/bikes/bikes.test.ts: GET /v1/bikes/search > returns the slugs and the year, at most 20 |
| 11.3
 | One step switches the bike off, also that of the URL, and other tabs follow
 | 
 | web/features/garage/parts.tsx
<br>web/features/garage/garage.ts
 | tests/browser/garage.spec.ts: switching off leaves no bike in the URL, of a product or of a list
<br>tests/browser/garage.spec.ts: another tab follows, and switching off takes one step |
| 11.4
 | The garage: at most ten bikes, in the browser of a guest and in the account of a customer: `Your garage is empty.`
 | 
 | web/pages/garage.tsx
<br>web/features/garage/garage.ts
<br>server/modules/garage/service.ts
 | tests/browser/garage.spec.ts: the garage manages the bikes of a guest and of an account
<br>web/features/garage/garage.test.ts: the garage of a guest > refuses the eleventh bike, and still changes between the others
<br>server/modules/garage/garage.test.ts: PUT /v1/me/garage/{bikeId} > holds at most ten bikes and one current bike when many are added at the same time |
| 11.5
 | The login merges both garages, and names the bikes for which there is no room: `These bikes were not added because your garage is full: `
 | 
 | web/features/garage/parts.tsx
<br>web/features/garage/garage.ts
<br>server/modules/garage/service.ts
 | server/modules/garage/garage.test.ts: POST /v1/me/garage/merge > adds two bikes of a guest to nine: ten stay, one is named, and a second merge changes nothing
<br>web/features/garage/garage.test.ts: the garage of a customer > takes over the bikes of the guest and names those without room |
| 11.6
 | One pure function decides: fits, fits some versions, does not fit, not confirmed, universal, gear. Missing data is neither yes nor no
 | 
 | contract/fit-answer.ts
 | contract/fit-answer.test.ts: decideFit > applies each row of the design
<br>server/modules/catalog/search/fit-filter.test.ts: list, counts and answer for one product agree, for each bike and each choice of fit |
| 11.7
 | GET `/v1/fitment` answers for a product and a bike, with the fitments that say so and the replacement
 | 
 | contract/routes.ts
<br>server/modules/fitment/service.ts
 | server/modules/fitment/fitment.test.ts: GET /v1/fitment > returns the answer with its fitments, and names the bike
<br>server/modules/fitment/fitment.test.ts: GET /v1/fitment > names the last replacement that is sold |
| 11.8
 | The badge of a product: `Does this fit your bike?`, then the answer with position, pieces and note: `Fits your `, `Does not fit your `, `Fit not confirmed for your `. Gear has none
 | 
 | web/features/garage/on-demand.tsx
<br>web/features/garage/fit-texts.ts
 | tests/browser/garage.spec.ts: without a bike, parts ask for it and gear does not
<br>tests/browser/ordered-fit.spec.ts: the list leads to the parts that fit, whose pages show the note and keep the bike
<br>tests/browser/garage.spec.ts: missing data is neither yes nor no |
| 11.9
 | The badge has reserved space. A longer answer is cut: `Show all` shows it, `Show less` cuts it again
 | 
 | web/features/garage/parts.tsx
 | tests/browser/budget.spec.ts: the current bike shifts neither a list nor a product with long notes, which a button shows |
| 11.10
 | Badge and cart ask for the version if only some fit: `Which version do you have?`
 | 
 | web/features/garage/ask-version.tsx
<br>web/features/garage/parts.tsx
<br>web/pages/cart.tsx
 | tests/browser/garage.spec.ts: a bike in four steps, whose version the badge asks for
<br>tests/browser/garage.spec.ts: the cart line asks for the version |
| 11.11
 | An answer that cannot be read says so and can be asked for again: `We could not check the fit.`
 | 
 | web/features/garage/parts.tsx
 | tests/browser/garage.spec.ts: missing data is neither yes nor no |
| 11.12
 | Cards have the answer in short on the picture, with one GET `/v1/fits` for all: `Fits some versions`, `Does not fit`, `Fit not confirmed`, `Universal part`
 | 
 | web/features/garage/fit-texts.ts
<br>contract/routes.ts
 | tests/browser/garage.spec.ts: the list marks each part with one call, and no gear
<br>server/modules/fitment/fitment.test.ts: GET /v1/fits > returns the answer of each product that the shop has |
| 11.13
 | The list leads to its parts that fit the current bike, unless it shows only gear, and does not redirect: `Show only parts that fit your `
 | 
 | web/features/garage/parts.tsx
<br>web/pages/products.tsx
 | tests/pages.test.ts: a list of gear does not offer the parts that fit a bike, unlike a list with one part
<br>tests/browser/ordered-fit.spec.ts: the list leads to the parts that fit, whose pages show the note and keep the bike |
| 11.14
 | The list for a bike names it, has the filter Fit with counts, and is not indexed; an unknown bike is 404: `We do not have this bike in our list.`
 | 
 | web/pages/products.tsx
<br>server/modules/catalog/search/search.ts
 | tests/pages.test.ts: the list for a bike names it, says how a search was read, and is not found for an unknown bike
<br>server/modules/catalog/search/fit-filter.test.ts: list, counts and answer for one product agree, for each bike and each choice of fit
<br>server/modules/catalog/search/fit-filter.test.ts: an unknown bike is an error, and so is a fit that needs one |
| 11.15
 | The search box reads bikes, says how it read them, and offers the plain words instead; or models, if there are several or none of that year: `Your search may name a bike:`
 | 
 | web/pages/products.tsx
<br>server/modules/bikes/rules.ts
 | server/modules/catalog/search/fit-filter.test.ts: the words of a search name a bike, all years of a model, a version, a model without the year, or none
<br>tests/pages.test.ts: the list for a bike names it, says how a search was read, and is not found for an unknown bike |
| 11.16
 | Product, choice, Buy Now, and the redirect to the present name keep the bike of the URL; the canonical address has none
 | 
 | contract/bikes.ts
<br>server/http/send-response.ts
<br>web/features/catalog/choice-links.tsx
<br>web/pages/product.tsx
 | tests/pages.test.ts: the redirect to the present name of a product keeps its bike, even from the cache
<br>tests/browser/ordered-fit.spec.ts: the list leads to the parts that fit, whose pages show the note and keep the bike |
| 11.17
 | Bike pages work without scripts: `Find parts for your motorcycle`, then make, model, year and the parts that fit
 | 
 | web/pages/bikes.tsx
<br>web/pages/bike-make.tsx
<br>web/pages/bike-model.tsx
<br>web/pages/bike-year.tsx
 | tests/browser/garage.spec.ts: without JavaScript, bike pages lead to the parts for a bike and to all bikes of a part
<br>tests/bike-pages.test.ts: without scripts, pages lead from the makes to the parts for a model and year |
| 11.18
 | A year without a part that fits is not indexed and in no sitemap; an unknown make, model or year is 404, and an earlier name redirects
 | 
 | web/pages/bike-year.tsx
<br>web/features/fitment/missing-bike.tsx
<br>server/modules/seo/service.ts
 | tests/bike-pages.test.ts: a year without a part that fits is not indexed and not in a sitemap
<br>tests/bike-pages.test.ts: /bikes/none is not found, with a link to the makes
<br>tests/bike-pages.test.ts: pages under an earlier name or in upper case redirect to the present name, unless another model has it |
| 11.19
 | A product lists its bikes, `Fits these bikes`, the first 40 on its page, and whether the list is complete
 | 
 | web/features/fitment/product-fitments.tsx
 | tests/bike-pages.test.ts: the page of a product has 40 fitments, and a page of their own has 200
<br>tests/browser/garage.spec.ts: without JavaScript, bike pages lead to the parts for a bike and to all bikes of a part |
| 11.20
 | A replaced product links to its replacement, also when it is deleted: `Replaced by`
 | 
 | web/features/fitment/replacement-link.tsx
<br>web/pages/product.tsx
 | tests/bike-pages.test.ts: a replaced product links to its replacement, even when it is deleted |
| 11.21
 | The demo says that its fitment is invented: `Demo data: the fitments in this shop are invented. Do not use them to choose real parts.`
 | 
 | web/features/fitment/demo-notice.tsx
 | tests/browser/garage.spec.ts: without JavaScript, bike pages lead to the parts for a bike and to all bikes of a part |
| 11.22
 | Each line of the cart has its bike and answer; the bike can be changed or taken away: `No bike`
 | 
 | web/features/garage/line-bike.tsx
<br>web/features/garage/line-fit.tsx
<br>server/modules/cart/service.ts
 | tests/browser/ordered-fit.spec.ts: the cart shows bike and answer of each line, but of no gear, and changes the bike
<br>server/modules/orders/line-fits.test.ts: the cart of a customer > keeps the bike of a line until the customer changes or removes it |
| 11.23
 | A part that does not fit, or for which it is not known, is warned about once, and can be ordered: `This part does not fit your bike.`, `We cannot confirm that this part fits your bike.`
 | 
 | web/features/garage/fit-texts.ts
<br>web/features/garage/fit-check.ts
 | tests/browser/ordered-fit.spec.ts: a part that is not confirmed is added after a warning, once
<br>tests/browser/ordered-fit.spec.ts: the purchase screen warns once too, and repeats an order without an answer for its bike
<br>web/features/garage/garage.test.ts: the bike that a product is ordered for > is not lost without an answer, and not sent if the shop does not have it |
| 11.24
 | The server decides the answer of an order, and keeps it with the bike: `Fit when ordered: `
 | 
 | contract/fit-answer.ts
<br>server/modules/orders/service.ts
 | server/modules/orders/line-fits.test.ts: an order > keeps bike and fit of each line, regardless of the browser's answer and of later fitment changes
<br>tests/browser/ordered-fit.spec.ts: the checkout shows the fit of each line, and the guest's order has it |
| 11.25
 | Details, packing slip and email of an order have bike and answer
 | 
 | web/features/orders/order-lines.tsx
<br>web/features/orders/packing-slip.tsx
<br>server/modules/orders/emails.ts
 | tests/browser/ordered-fit.spec.ts: the admin sees them in the order and on the packing slip
<br>server/modules/orders/line-fits.test.ts: an order > of the purchase screen has them, and so has its email |
| 11.26
 | Admins add bikes on a screen, with other names of the model, and by CSV; they rename makes and models, edit the other names, `Edit this model`, and remove bikes that nothing refers to: `Remove bikes`
 | 
 | web/pages/manage-bikes.tsx
<br>web/features/fitment/correct-bikes.tsx
<br>server/modules/bikes/service.ts
 | tests/browser/admin-fitments.spec.ts: the Bikes page adds the bikes of a model
<br>server/modules/bikes/bikes.test.ts: POST /v1/bikes > adds the bikes that the shop does not have, with other names of the model
<br>server/modules/bikes/bikes.test.ts: PUT /v1/makes/{make} and its models > renames a model, and replaces its other names
<br>server/modules/bikes/bikes.test.ts: DELETE /v1/bikes > refuses bikes that a fitment, a garage, a cart or an order has, and removes none of them
<br>server/modules/fitment/files/fitments/fitment-files.test.ts: a bike file > adds bikes, which list the products that fit them, and changes their data |
| 11.27
 | Admins edit the fitments of a product; a list that somebody else has changed is not overwritten: `The list of bikes is complete.`
 | 
 | web/features/catalog/fitments-editor.tsx
<br>server/modules/fitment/service.ts
 | tests/browser/admin-fitments.spec.ts: the editor of a product removes a fitment, and marks the list as complete
<br>server/modules/fitment/fitment.test.ts: PUT /v1/products/{id}/fitments > refuses a list that another admin has changed meanwhile
<br>server/modules/fitment/fitment.test.ts: PUT /v1/products/{id}/fitments > replaces the list, and records what was removed and added
<br>server/modules/fitment/fitment.test.ts: PUT /v1/products/{id}/fitments > without fitments changes the rest of a list that is too long for one request |
| 11.28
 | A fitment file is checked, its errors are listed by row and column, and it is imported whole or not at all
 | 
 | server/modules/fitment/files/fitments/file.ts
<br>server/modules/imports/service.ts
 | tests/browser/admin-fitments.spec.ts: three wrong rows are listed, and the corrected file changes the answer
<br>server/modules/fitment/files/fitments/fitment-files.test.ts: a fitment file > reports errors by row and column, and cannot be imported with them
<br>server/modules/fitment/files/fitments/fitment-files.test.ts: a fitment file > changes nothing when it is an export, regardless of its texts
<br>server/modules/fitment/files/fitments/large-fitment-files.test.ts: the fitments of an import are not held in memory, and none stays if the last ones fail |
| 11.29
 | Gear has the size chart of its maker, in cm or inches, and finds the size of a measure: `Size chart for`
 | 
 | web/features/catalog/gear-tables.tsx
<br>web/features/catalog/size-finder.tsx
 | tests/browser/gear.spec.ts: a measure has a size, is between two, or is outside
<br>tests/browser/gear.spec.ts: without scripts the chart can be switched as well |
| 11.30
 | Safety certificates are on the page of a product and a filter of the list
 | 
 | web/features/catalog/gear-tables.tsx
<br>contract/product-filters.ts
 | tests/browser/gear.spec.ts: the page shows chart, certificates and maker, even after a navigation in the browser
<br>server/modules/catalog/gear/gear.test.ts: the certificates of a product > are filter values, the type of a helmet and the digits of boots excluded |
| 11.31
 | Maker, EU contact and safety information of a brand are on the page of each of its products; admins edit them, size charts and certificates
 | 
 | web/features/catalog/gear-tables.tsx
<br>web/pages/brands.tsx
<br>web/pages/size-charts.tsx
<br>web/features/catalog/certificates-editor.tsx
 | server/modules/catalog/gear/gear.test.ts: the manufacturer of a brand > is in the responses of the brand's products, and of no others
<br>tests/browser/gear.spec.ts: the product page has all of it
<br>tests/browser/gear.spec.ts: certificates are saved on the form of the product |
| 11.32
 | The search box finds products by the numbers of other makers and of replaced products, in any spelling, and the card names the number that was found: `Equivalent to`
 | 
 | server/modules/catalog/part-numbers/service.ts
<br>contract/number-texts.ts
 | server/modules/catalog/part-numbers/part-numbers.test.ts: the search for a part number > finds numbers of other makers and old ones, exact matches first, and no deleted product
<br>tests/bike-pages.test.ts: a product page has the part numbers of other makers, and the list names the one that was found |
| 11.33
 | The page of a product has original, equivalent and replaced numbers, and links to the products before and after it: `Part numbers`
 | 
 | web/features/fitment/part-numbers.tsx
 | tests/bike-pages.test.ts: a product page has the part numbers of other makers, and the list names the one that was found
<br>tests/browser/admin-part-numbers.spec.ts: the number finds the product, whose page leads to the replacement and back |
| 11.34
 | Admins edit the part numbers of a product and the product that replaces it, and replacements form no loop: `Save part numbers`
 | 
 | web/features/catalog/part-numbers-editor.tsx
<br>server/modules/catalog/part-numbers/service.ts
 | tests/browser/admin-part-numbers.spec.ts: the editor names what is wrong, and saves the corrected numbers
<br>server/modules/catalog/part-numbers/part-numbers.test.ts: PUT /v1/products/{id}/part-numbers > refuses a loop, and an eleventh product in a row |
| 11.35
 | A part number file replaces the numbers of its products, whole or not at all
 | 
 | server/modules/catalog/files/part-numbers/file.ts
<br>server/modules/imports/service.ts
 | server/modules/catalog/files/part-numbers/part-number-files.test.ts: a part number file > is checked without changes, then replaces the numbers of its products, with their history
<br>server/modules/catalog/files/part-numbers/part-number-files.test.ts: a part number file > lists errors by row and column, and then imports nothing |
| 11.36
 | Fitments are imported from ACES XML; errors have application, line and element, and a limit of the fit that the shop cannot store is one
 | 
 | server/modules/fitment/files/aces/file.ts
<br>server/modules/imports/service.ts
 | tests/browser/admin-fitments.spec.ts: an ACES file has errors by application, line and element
<br>server/modules/fitment/files/aces/aces-files.test.ts: an ACES file > with three wrong applications is refused with their lines and elements, and the corrected one is imported whole |
| 11.37
 | The shop has no ACES codes of its own: admins import those of its bikes and positions as a file
 | 
 | server/modules/fitment/files/aces-codes/file.ts
<br>server/modules/imports/service.ts
 | server/modules/fitment/files/aces/aces-files.test.ts: a file with ACES codes > adds codes and changes them, and an unchanged file changes nothing |
| 11.38
 | One action sets the fit kind of all products of a kind of part, except those that have fitments: `Fit by kind of part`
 | 
 | web/features/fitment/fit-kinds.tsx
<br>server/modules/fitment/service.ts
 | server/modules/fitment/fitment.test.ts: PUT /v1/fit-kinds > sets the fit kind of products with this kind of part and without fitments
<br>tests/browser/admin-fitments.spec.ts: the Bikes page marks all products of one kind of part as gear |
