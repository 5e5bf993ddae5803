// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QString>

#include <memory>
#include <utility>

class QObject;

namespace trainyard
{

// What was asked for and is not done yet, so that a key that is pressed twice does not do it twice. It is over when the
// last copy of its token goes, whichever answer comes, and also when none comes.
class UnderWay
{
public:
    using Token = std::shared_ptr<const void>;
    // Null: the same is under way. `of`: what it is about, when that is on the screen.
    Token begin(const QString &what, const QObject *of = nullptr);

private:
    using All = QSet<std::pair<const QObject *, QString>>;
    std::shared_ptr<All> m_all = std::make_shared<All>();
};

} // namespace trainyard
