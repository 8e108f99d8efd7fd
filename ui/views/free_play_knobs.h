// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <QWidget>

#include <map>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace lockui {

class DurationField;

/// What the clients of one group do, to be turned while they do it.
class FreePlayKnobs : public QWidget {
    Q_OBJECT
public:
    explicit FreePlayKnobs(QWidget *parent = nullptr);

    void setSettings(const lab::GroupSettings &settings); // of another group; tells nothing
    void setTitle(const QString &title); // of the group
    void setWarning(const QString &warning); // of what it is told to take; empty: none
    void setRunning(bool running); // then a name counts once it is typed
    void setBound(bool bound); // somebody holds its lock or waits for it: it stays that one, and nobody goes
    void setOfOthers(bool ofOthers); // the server: what a hand finds there is never set
    void setMayContend(bool may, const QString &whyNot);
    void enterName();
    const lab::GroupSettings &settings() const { return m_settings; }
    bool turnsAll() const; // groups alike

Q_SIGNALS:
    void changed();

private:
    struct TimeKnob {
        QComboBox *spread;
        DurationField *mean;
    };

    QWidget *addRow(QVBoxLayout &layout, const QString &title, std::initializer_list<QWidget *> fields);
    QComboBox *newChoice(const QString &name, const QStringList &items);
    QSpinBox *newNumber(const QString &name, int least, int most);
    TimeKnob newTime(const QString &name);
    void fillKinds(bool isByHand);
    void nameTyped();
    lockcore::LockName nameInField() const;
    void read();
    void show(const lab::GroupSettings &settings);
    void showWhatCounts();
    void showLease();
    static QString boundToolTip();

    lab::GroupSettings m_settings;
    lockcore::LockName m_named; // whose name was put into the field
    bool m_isShowing = false; // what is set then was not turned by a person
    bool m_isRunning = false;
    bool m_isOfOthers = false;
    bool m_isBound = false;
    std::map<QWidget *, QString> m_bound; // what stays while its lock is held or waited for, with its usual tool tips
    QLabel *m_title;
    QComboBox *m_leading;
    QLineEdit *m_name;
    QLabel *m_warning;
    QComboBox *m_kind;
    QSpinBox *m_clients;
    TimeKnob m_hold;
    TimeKnob m_think;
    QComboBox *m_leaseChoice;
    DurationField *m_lease;
    QComboBox *m_waitChoice;
    DurationField *m_wait;
    QSpinBox *m_crashes;
    QSpinBox *m_readers;
    QSpinBox *m_permits;
    DurationField *m_fairWait;
    QWidget *m_nameRow;
    QWidget *m_holdRow;
    QWidget *m_thinkRow;
    QWidget *m_crashesRow;
    QWidget *m_leaseRow;
    QWidget *m_readersRow;
    QWidget *m_permitsRow;
    QWidget *m_fairWaitRow;
    QCheckBox *m_all;
};

} // namespace lockui
