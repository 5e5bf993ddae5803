# SPDX-License-Identifier: GPL-3.0-or-later
# Test classes that `./dev test` leaves out, and `./dev test --all` runs.
set(TRAINYARD_LONG_CLASSES)
