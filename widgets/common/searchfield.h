// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace trainyard
{

// A line edit with an icon at the left (a lens, or a funnel), a cross when there is text, Escape to clear.
class SearchField : public QLineEdit
{
    Q_OBJECT
public:
    enum class Kind { Search, Filter };
    explicit SearchField(Kind kind, const QString &placeholder, QWidget *parent = nullptr);
    void setKeyHint(const QString &key); // "Ctrl+K" at the right while empty
    void setStatus(const QString &status); // "3 of 17" at the right, where what is typed leaves it room
    QString status() const { return m_status; }
    bool isStatusShown() const;

Q_SIGNALS:
    void escapePressed(); // with nothing to clear
    void moveRequested(int rows); // Up and Down, for a list below

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void updateMargins();
    int statusWidth() const;
    Kind m_kind;
    QString m_hint;
    QString m_status;
};

} // namespace trainyard
