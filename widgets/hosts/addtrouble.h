// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLineEdit;
class QPushButton;

namespace trainyard
{

class ColourLabel;

// Below the field for the address of a new host: why it was not added and, if only the user can decide, a way to add it
// nevertheless. The Return key never does that, and it is offered for that address only.
class AddTrouble : public QWidget
{
    Q_OBJECT
public:
    explicit AddTrouble(QLineEdit *address, QWidget *parent = nullptr);
    void setText(const QString &text, bool mayBeAdded); // empty: there is none
    // While a host is being added the field is off. Afterwards it has the focus again, unless the user has gone on.
    void setAdding(bool on);

Q_SIGNALS:
    void anywayRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QLineEdit *m_address;
    ColourLabel *m_words;
    QPushButton *m_anyway;
    QPointer<QWidget> m_focusMeanwhile;
};

} // namespace trainyard
