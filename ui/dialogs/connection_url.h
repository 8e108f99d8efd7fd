// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/endpoint.h"

#include <QString>

namespace lockui {

/// The endpoint as parseUrl reads it, without the password: it is shown and kept.
QString connectionUrl(const lockcore::Endpoint &endpoint);

} // namespace lockui
