// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/infobar.h"

namespace trainyard
{

// Says what is wrong in the configuration files that people write by hand, and opens them; gone when they are fixed.
// Closed by the user, it stays away until something else is wrong.
class ConfigurationBar : public InfoBar
{
    Q_OBJECT
public:
    explicit ConfigurationBar(const QString &configFolder, QWidget *parent = nullptr);

Q_SIGNALS:
    void openRequested(const QString &file);

private:
    void check();

    QString m_folder;
    QString m_said; // shown, or closed by the user
};

} // namespace trainyard
