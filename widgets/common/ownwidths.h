// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

#include <functional>

class QHeaderView;

namespace trainyard
{

// The widths, in pixels, that the user has given to columns with the mouse. A table that fits its columns to their
// contents asks here first, so that such a width is kept. A column is identified by its key, whatever its position is.
// GUI thread only.
class OwnWidths : public QObject
{
    Q_OBJECT
public:
    // Lives as long as the header. `keyOf` returns the key of a section.
    OwnWidths(QHeaderView *header, std::function<QString(int)> keyOf);
    int width(const QString &key, int otherwise) const { return m_widths.value(key, otherwise); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::function<QString(int)> m_keyOf;
    QHash<QString, int> m_widths;
    bool m_isPressed = false;
};

} // namespace trainyard
