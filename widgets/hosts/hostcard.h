// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/form/popup.h"

namespace trainyard
{

// Why a host cannot be used, in words, and what can be done about it.
class HostCard : public Popup
{
    Q_OBJECT
public:
    HostCard(const HostInfo &host, QWidget *parent);

Q_SIGNALS:
    void checkRequested();
    void removeRequested();
};

} // namespace trainyard
